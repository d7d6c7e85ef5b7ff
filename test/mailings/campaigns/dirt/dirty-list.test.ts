/** A proof names each kind of dirt of a list with a code and a remedy, and what holds for a column once. */
import { join } from 'node:path';
import t from 'tap';
import { plainImage, sends } from '../../../e2e/image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from '../../../e2e/published.ts';
import { startService } from '../../../e2e/service.ts';
import { startOrigin } from '../../../fixtures/images-origin.ts';
import { rowsOf, runCampaign } from '../campaign-client.ts';
import { cleanRow, correctedKinds, csvOf, kindsOfDirt } from './dirty-lists.ts';

t.setTimeout(180_000);

const origin = await startOrigin({ '/a.png': sends(await plainImage('#2d6a4f', 40, 40)) });
t.teardown(() => origin.close());

const texts = 'first_name last_name name city zip ean note phone day amount'.split(' ');
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('card', {
    variables: [
      ...texts.map((name) => textVariable(name, 'x')),
      { name: 'photo', type: 'image', value: origin.url('/a.png') },
    ],
    layers: [
      textLayer('{{first_name}}'),
      imageLayer('{{photo}}', { id: 'photo', width: 40, height: 40 }),
    ],
  });
});
const service = await startService(t, { dataDirectory, origins: [origin], threadCount: 2 });
const prove = (list: string) => runCampaign(service, 'card', 'proof', list);

const sound = (index: number) => ({ ...cleanRow(index), photo: origin.url('/a.png') });

t.test('each of more than 40 kinds of dirt is found as its code, with a remedy', async (t) => {
  const kinds = new Map(kindsOfDirt.map((kind, index) => [2 * index + 2, kind]));
  t.ok(kinds.size >= 40);
  const rows = Array.from({ length: 400 }, (_, index) => ({
    ...sound(index),
    ...kinds.get(index + 1)?.[3],
    ...correctedKinds[index - 200],
  }));
  const { id, counts, state } = await prove(csvOf(rows));
  t.equal(state, 'finished');
  const found = new Map((await rowsOf(service, id)).map((each) => [each.row, each]));
  for (const [row, [kind, code, variable, change]] of kinds) {
    const problems = found.get(row)?.problems ?? [];
    t.same(
      problems.map((each) => [each.code, each.variable]),
      [[code, variable]],
      kind,
    );
    const { message = '' } = problems[0] ?? {};
    if (code !== 'BAD_ROW') t.match(message, /: [a-z][\w ]{5,}/, `${kind}: a remedy`);
    const [value = ''] = Object.values(change);
    const isNamed = code === 'UNMERGED' || code === 'BAD_ROW' || value.length < 5;
    if (!isNamed) t.notOk(message.includes(value), `${kind}: no message has the value`);
  }
  t.same(
    [...found.keys()].filter((row) => !kinds.has(row)),
    [],
    'no other row has a problem',
  );
  t.match(
    counts['verdict'],
    new RegExp(`^${400 - kinds.size} fine, ${kinds.size} need you\\. First see to `),
  );
  const corrected = counts['corrected'] as { variable: string }[];
  t.same(corrected.map(({ variable }) => variable).toSorted(), [
    'city',
    'last_name',
    'name',
    'zip',
  ]);
});

t.test('words that mean nothing are listed once by column, with their rows', async (t) => {
  const words = ['N/A', 'n/a', '-', 'N/A', 'unbekannt'];
  const rows = Array.from({ length: 60 }, (_, index) => ({
    ...sound(index),
    city: words[index] ?? 'Lyon',
  }));
  const { counts } = await prove(csvOf(rows));
  t.match(counts, { problems: 5, SUSPECT_WORD: 5, fine: 55 });
  t.match(counts['columns'], [
    {
      code: 'SUSPECT_WORD',
      column: 'city',
      variable: 'city',
      rows: 5,
      first_rows: [1, 2, 3],
      whole_column: false,
      message:
        /\("n\/a" 3 ×, "-" 1 ×, "unbekannt" 1 ×\): empty these cells, or list the words in "emptyWords"/,
    },
  ]);
});

t.test(
  'a way of writing of a column is one sentence, and wrong values need a person in each row',
  async (t) => {
    const rows = Array.from({ length: 100 }, (_, index) => {
      const row = sound(index);
      return {
        ...row,
        last_name: index % 2 === 0 ? 'MÜLLER' : row.last_name,
        first_name: index < 30 ? 'M?ller' : row.first_name,
      };
    });
    const { id, counts } = await prove(csvOf(rows));
    t.match(counts, { fine: 70, problems: 30, LOST_LETTERS: 30 });
    t.match(counts['columns'], [
      {
        code: 'NAME_CASE',
        column: 'last_name',
        rows: 50,
        first_rows: [1, 3, 5],
        whole_column: true,
      },
    ]);
    t.match(
      counts['verdict'],
      /^70 fine, 30 need you\. First see to the lost letters in "first_name" \(30 rows\): .* The column "last_name" needs you as a whole\.$/,
    );
    t.equal((await rowsOf(service, id)).length, 30);
  },
);

t.test('an empty date beside a column with few dates is no shifted row', async (t) => {
  const rows = Array.from({ length: 40 }, (_, index) => {
    const { email, name } = sound(index);
    const day = `2026-03-${String((index % 28) + 1).padStart(2, '0')}`;
    const hasLeft = index % 10 === 3;
    return [email, name, hasLeft ? '' : day, hasLeft ? day : '', 'x'].join(',');
  });
  const { counts } = await prove(['email,name,birthday,unsubscribed_on,note', ...rows].join('\n'));
  t.match(counts, { fine: 40, problems: 0 });
});
