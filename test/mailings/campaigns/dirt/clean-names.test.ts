/** A proof raises no alarm on clean names, addresses, cities, amounts and texts of 70 languages and regions. */
import { allFakers } from '@faker-js/faker';
import type { Faker } from '@faker-js/faker';
import t from 'tap';
import { extent } from '../../../helpers/extent.ts';
import { hasGarbledLetters } from '../../../../src/mailings/campaigns/dirt/garbled-letters.ts';
import { hasLostLetters } from '../../../../src/mailings/campaigns/dirt/lost-letters.ts';
import { findDirt } from './looked-cells.ts';

const columns =
  'first_name last_name name city zip phone company street note amount day photo email country'.split(
    ' ',
  );

/** Texts that a banner may have. */
const notes: ((faker: Faker) => string)[] = [
  ({ commerce }) => commerce.productName(),
  ({ lorem }) => lorem.sentence(),
  ({ person }) => person.jobTitle(),
  ({ location }) => location.city().toUpperCase(),
  ({ hacker }) => hacker.phrase(),
  ({ music }) => `${music.songName()}?`,
  ({ finance }) => finance.iban(),
  ({ internet, person }) => `${internet.emoji()} ${person.firstName()}!`,
  ({ commerce }) => `${commerce.price({ symbol: '€' })} & more?`,
  ({ internet }) => `${internet.url()}?a=b`,
  ({ person }) => `«${person.lastName().toUpperCase()}»…`,
  ({ book }) => `“${book.title()}”™ ®`,
];

/** A row in the language of `faker`. What a language lacks is empty. */
function rowOf(faker: Faker, index: number): string[] {
  const made = (make: () => string): string => {
    try {
      return make();
    } catch {
      return '';
    }
  };
  const firstName = made(() => faker.person.firstName());
  const lastName = made(() => faker.person.lastName());
  return [
    // Names are drawn by chance: a first name that ends with this family name is what the proof looks for.
    firstName.endsWith(` ${lastName}`) ? 'Kim' : firstName,
    lastName,
    made(() => faker.person.fullName()),
    made(() => faker.location.city()),
    made(() => faker.location.zipCode()),
    made(() => faker.phone.number()),
    made(() => faker.company.name()),
    made(() => faker.location.streetAddress()),
    made(() => notes[index % notes.length]?.(faker) ?? ''),
    made(() => faker.finance.amount()),
    made(() => faker.date.past().toISOString().slice(0, 10)),
    made(() => faker.image.url()),
    made(() => faker.internet.email({ firstName, lastName })),
    '',
  ];
}

/** Values of the package that are dirt. `Ã\u0096mer` is `Ömer`, and a joiner stands alone behind a space. */
const dirtOfPackage = /Ã\u0096/;

const fakers = Object.entries(allFakers).filter(([locale]) => locale !== 'base');
const rowCount = extent(160, 2000);

t.test('no row of clean lists has a problem, and no column a sentence', async (t) => {
  let cells = 0;
  for (const [locale, faker] of fakers) {
    faker.seed(47);
    const rows = Array.from({ length: rowCount }, (_, index) =>
      rowOf(faker, index).map((cell) => (dirtOfPackage.test(cell) ? '' : cell)),
    );
    const found = findDirt(columns, rows);
    const alarms = found.rows.flatMap((problems, row) =>
      problems.map(({ code, variable }) => [code, variable, JSON.stringify(rows[row])]),
    );
    t.same(alarms, [], locale);
    t.same(found.columns, [], locale);
    cells += rows.flat().filter((cell) => cell !== '').length;
  }
  t.ok(fakers.length > 70 && fakers.length * rowCount >= 10_000 && cells > 100_000);
});

/** A text as a program shows it that reads its UTF-8 in another encoding. */
function misread(text: string, label: string): string {
  return new TextDecoder(label).decode(Buffer.from(text));
}

t.test(
  'the same names are found when they were read in a wrong encoding, or lost letters',
  async (t) => {
    const found = { garbled: 0, lost: 0 };
    const tried = { garbled: 0, lost: 0 };
    for (const [, faker] of fakers) {
      faker.seed(11);
      for (let index = 0; index < extent(60, 400); index += 1) {
        const name = faker.person.lastName();
        if (/^[\u0020-\u007e]*$/.test(name)) continue;
        for (const label of ['windows-1252', 'windows-1251', 'macintosh']) {
          tried.garbled += 1;
          if (hasGarbledLetters(misread(name, label))) found.garbled += 1;
        }
        const kept = name.replaceAll(/[^\u0020-\u007e’]/g, '?');
        // A lost letter at the end is a question, unless others of the column are lost.
        if (/^[^?]*\?$/.test(kept)) continue;
        tried.lost += 1;
        if (hasLostLetters(kept, true)) found.lost += 1;
      }
    }
    t.ok(tried.garbled > 3000 && tried.lost > 1000);
    t.ok(found.garbled / tried.garbled > 0.98, JSON.stringify({ found, tried }));
    t.ok(found.lost / tried.lost > 0.98, JSON.stringify({ found, tried }));
  },
);
