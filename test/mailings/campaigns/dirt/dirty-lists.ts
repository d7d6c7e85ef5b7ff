/** Lists with dirt: rows that are clean, and one for each kind of dirt with the code that names it. */

/** The cells of a row by column. */
export type ListRow = Record<
  | 'email'
  | 'first_name'
  | 'last_name'
  | 'name'
  | 'city'
  | 'zip'
  | 'ean'
  | 'note'
  | 'phone'
  | 'day'
  | 'amount'
  | 'photo',
  string
>;

/** A row whose cells are clean. */
export function cleanRow(index: number): ListRow {
  const names = 'Amanda Łukasz Jean-Luc Ngozi Åsa Zoë José İbrahim Сергей 美咲 Ángela D’Arcy'.split(
    ' ',
  );
  const families = 'Miller Wójcik O’Neill Okafor Øberg Yılmaz Muñoz Dvořák Иванов 佐藤'.split(' ');
  const first = names[index % names.length] ?? '';
  const last = families[index % families.length] ?? '';
  return {
    email: `person.${index}@news.example.com`,
    first_name: first,
    last_name: last,
    name: `${first} ${last}`,
    city: ['Lyon', 'Kraków', 'São Paulo', 'SÃO PAULO', '’s-Hertogenbosch'][index % 5] ?? '',
    zip: `${index % 4 === 0 ? '01' : '75'}${String(100 + index).padStart(3, '0')}`,
    ean: productCode(index),
    note:
      ['Really?', 'What? Yes', '2 for 1?', 'https://example.com/?a=b', '=) 50% off'][index % 5] ??
      '',
    phone: `+49 170 ${1_000_000 + index}`,
    day: `2026-12-${String((index % 28) + 1).padStart(2, '0')}`,
    amount: `${(index % 90) + 1},299.00`,
    photo: '',
  };
}

/** A product code of 13 digits, some of which begin with a zero. */
function productCode(index: number): string {
  const digits = `${index % 3 === 0 ? '0' : '4'}5${String(1_234_567_890 + index * 7919)}`.slice(
    0,
    12,
  );
  const sum = Array.from(digits).reduce(
    (all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** A product code that has lost its zero. */
const shortCode = productCode(300).slice(1);

type Kind = [kind: string, code: string, variable: string | null, change: Partial<ListRow>];

/** Each kind of dirt changes a clean row, and is found as this code alone. */
export const kindsOfDirt: Kind[] = [
  ['all letters lost', 'LOST_LETTERS', 'first_name', { first_name: '?????' }],
  ['the first letter lost', 'LOST_LETTERS', 'first_name', { first_name: '?ukasz' }],
  ['a letter lost in a name', 'LOST_LETTERS', 'last_name', { last_name: 'Y?lmaz' }],
  ['a letter lost beside others', 'LOST_LETTERS', 'last_name', { last_name: 'Dvo?ák' }],
  ['the last letter lost', 'LOST_LETTERS', 'last_name', { last_name: 'Kova?' }],
  ['U+FFFD', 'BAD_ROW', 'city', { city: 'Bj\uFFFDrn' }],
  ['UTF-8 as Windows-1252', 'GARBLED_LETTERS', 'first_name', { first_name: 'JosÃ©' }],
  ['quotes as Windows-1252', 'GARBLED_LETTERS', 'note', { note: 'Donâ€™t wait' }],
  ['read wrongly twice', 'GARBLED_LETTERS', 'first_name', { first_name: 'JosÃƒÂ©' }],
  ['Cyrillic as Windows-1252', 'GARBLED_LETTERS', 'first_name', { first_name: 'ÐŸÑ‘Ñ‚Ñ€' }],
  ['Cyrillic as Windows-1251', 'GARBLED_LETTERS', 'first_name', { first_name: 'РџС‘С‚СЂ' }],
  ['UTF-8 as Mac OS Roman', 'GARBLED_LETTERS', 'city', { city: 'Orl√©ans' }],
  ['DOS as Windows-1252', 'GARBLED_LETTERS', 'first_name', { first_name: 'Bj”rn' }],
  ['an escape of JSON', 'ESCAPE_LEFT', 'first_name', { first_name: String.raw`Jos\u00e9` }],
  ['a written line break', 'ESCAPE_LEFT', 'note', { note: String.raw`Two\nlines` }],
  ['a quote of SQL', 'ESCAPE_LEFT', 'last_name', { last_name: String.raw`O\'Brien` }],
  ['an escape of emails', 'ESCAPE_LEFT', 'last_name', { last_name: 'Mu=C3=B1oz' }],
  ['an entity encoded twice', 'ESCAPE_LEFT', 'last_name', { last_name: 'O&amp;#39;Brien' }],
  ['a tag of HTML', 'ESCAPE_LEFT', 'note', { note: 'Two<br>lines' }],
  ['a reference', 'FORMULA_LEFT', 'first_name', { first_name: '=A1' }],
  ['a function', 'FORMULA_LEFT', 'name', { name: '=CONCATENATE(A2;B2)' }],
  ['a reference of old spreadsheets', 'FORMULA_LEFT', 'note', { note: '+A1' }],
  ['a function of old spreadsheets', 'FORMULA_LEFT', 'note', { note: '@SUM(A1:A9)' }],
  ['the sign of a text', 'FORMULA_LEFT', 'phone', { phone: "'0049170" }],
  ['an error in German', 'FORMULA_LEFT', 'city', { city: '#NV' }],
  ['an error in English', 'BAD_ROW', 'city', { city: '#N/A' }],
  ['a shortened number', 'SCIENTIFIC_NUMBER', 'phone', { phone: '1.31E+11' }],
  ['a shortened number with a comma', 'SCIENTIFIC_NUMBER', 'ean', { ean: '4,01E+12' }],
  ['N/A', 'SUSPECT_WORD', 'first_name', { first_name: 'N/A' }],
  ['k.A.', 'SUSPECT_WORD', 'city', { city: 'k.A.' }],
  ['нет', 'SUSPECT_WORD', 'city', { city: 'нет' }],
  ['暂无', 'SUSPECT_WORD', 'city', { city: '暂无' }],
  ['a dash', 'SUSPECT_WORD', 'first_name', { first_name: '-' }],
  ['a test', 'SUSPECT_WORD', 'last_name', { last_name: 'test' }],
  ['null', 'SUSPECT_WORD', 'note', { note: 'null' }],
  ['an address as a name', 'NOT_A_NAME', 'first_name', { first_name: 'ann@example.com' }],
  ['a web address as a name', 'NOT_A_NAME', 'name', { name: 'www.example.com' }],
  ['a phone number as a name', 'NOT_A_NAME', 'first_name', { first_name: '0170 / 123 45' }],
  ['an account as a name', 'NOT_A_NAME', 'first_name', { first_name: 'anna1984' }],
  ['a name in capitals', 'NAME_CASE', 'last_name', { last_name: 'MÜLLER' }],
  ['a name in small letters', 'NAME_CASE', 'first_name', { first_name: 'anna' }],
  ['Last, First', 'NAME_ORDER', 'name', { name: 'Müller, Anna' }],
  ['a whole name', 'WHOLE_NAME', 'first_name', { first_name: 'Anna Miller', last_name: 'Miller' }],
  ['a space without width', 'HIDDEN_CHARACTER', 'first_name', { first_name: 'An\u200Bna' }],
  ['a soft hyphen', 'HIDDEN_CHARACTER', 'city', { city: 'Düs\u00ADseldorf' }],
  ['a mark of UTF-8 inside', 'HIDDEN_CHARACTER', 'last_name', { last_name: '\uFEFFMiller' }],
  ['a turned direction', 'HIDDEN_CHARACTER', 'note', { note: 'Hello \u202Edlrow' }],
  ['a hard space at the end', 'HIDDEN_CHARACTER', 'first_name', { first_name: 'Anna\u00A0' }],
  ['a control character', 'HIDDEN_CHARACTER', 'city', { city: 'Ly\u0007on' }],
  ['a tag character', 'HIDDEN_CHARACTER', 'note', { note: 'Hi\u{E0041}' }],
  ['a date in another writing', 'MIXED_WRITING', 'day', { day: '27.11.2026' }],
  ['a number in another writing', 'MIXED_WRITING', 'amount', { amount: '1.299,00' }],
  ['a postal code without its zero', 'LOST_ZERO', 'zip', { zip: '1067' }],
  ['a product code without its zero', 'LOST_ZERO', 'ean', { ean: shortCode }],
  ['an address without @', 'BAD_ADDRESS', 'email', { email: 'ann.example.com' }],
  ['an address with two @', 'BAD_ADDRESS', 'email', { email: 'ann@@example.com' }],
  ['an address with a comma', 'BAD_ADDRESS', 'email', { email: 'ann@example,com' }],
  ['an address with a dot at its end', 'BAD_ADDRESS', 'email', { email: 'ann@example.com.' }],
  ['an address with a space', 'BAD_ADDRESS', 'email', { email: 'ann @example.com' }],
  ['an address of a link', 'BAD_ADDRESS', 'email', { email: 'mailto:ann@example.com' }],
  ['an address with a name', 'BAD_ADDRESS', 'email', { email: 'Ann <ann@example.com>' }],
  ['an image without a scheme', 'BAD_ADDRESS', 'photo', { photo: 'www.example.com/a.png' }],
  ['an image on a computer', 'BAD_ADDRESS', 'photo', { photo: String.raw`C:\Pictures\a.png` }],
  ['the name of an image', 'BAD_ADDRESS', 'photo', { photo: 'IMG_123.jpg' }],
  ['a page of an image', 'BAD_ADDRESS', 'photo', { photo: 'https://photos.app.goo.gl/x1' }],
  ['a merge tag', 'UNMERGED', 'first_name', { first_name: '*|FNAME|*' }],
  [
    'a row shifted by a cell',
    'SHIFTED_ROW',
    null,
    { email: 'Amanda', first_name: 'shifted@example.com' },
  ],
];

/** The dirt that links correct: it is drawn as it was meant, and counted by column. */
export const correctedKinds: Partial<ListRow>[] = [
  { last_name: 'O&#39;Brien' },
  { name: 'Mueller &amp; Co' },
  { city: 'Gy%C5%91r' },
  { zip: '="00123"' },
];

/** A cell of CSV. */
export function csvOf(rows: readonly ListRow[]): string {
  const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
  const lines = rows.map((row) => Object.values(row).map(quoted).join(','));
  // A mark of UTF-8, so that no letter decides the encoding.
  return `\uFEFF${[Object.keys(cleanRow(0)).join(','), ...lines].join('\r\n')}\r\n`;
}
