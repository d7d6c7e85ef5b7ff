import { join } from 'node:path';
import t from 'tap';
import { readListFile, valuesOf } from './list-files.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const german = [
  ['Änne', 'Müller', 'anne@example.com', 'Köln', 'Erste Zeile\nzweite Zeile'],
  ['Jürgen', 'Groß', 'juergen@example.com', 'Weißenfels', 'sagt "Hallo"; geht'],
  ['François', 'Lefèvre', 'f@example.com', 'Besançon', '5 € – gratis'],
  ['Zoé', 'O’Neill', 'zoe@example.com', 'Dublin', ''],
];

const members = {
  columns: [
    'Name',
    'Geburtstag',
    'Termin',
    'Zeit',
    'Dauer',
    'Punkte',
    'Rabatt',
    'Preis',
    'Aktiv',
    'PLZ',
    'Notiz',
    'Doppelt',
  ],
  headerRow: 1,
  headerProblems: [],
  format: {
    kind: 'xlsx',
    sheet: 'Mitglieder 2026',
    sheets: ['Mitglieder 2026', 'Orte'],
    hasHeader: true,
  },
  rows: [
    {
      row: 1,
      line: 2,
      values: [
        'Müller, Änne',
        '1990-05-17',
        '2026-11-27T18:30',
        '08:05',
        '26:30:00',
        '0.3',
        '0.15',
        '1234.5',
        'TRUE',
        '01234',
        'fett und normal \nzweite Zeile',
        '0.6',
      ],
    },
    {
      row: 4,
      line: 5,
      values: [
        'محمد علي',
        '2000-02-29',
        '2026-01-01T00:00',
        '23:59',
        '100:00:00',
        '12345678901234',
        '0.005',
        '99.99',
        'TRUE',
        '00007',
        '_x000D_ & <b> =1+1',
        'xy',
      ],
    },
    { row: 5, line: 6, values: ['Zoé', '', '', '', '', '0.0000001', '', '', '', '', '', ''] },
  ],
  problems: [{ row: 2, line: 3, cause: 'formula-error', column: 'Doppelt' }],
};

t.test('a CSV of each program is read alike', async (t) => {
  const formats: Record<string, object> = {
    'excel-german-ansi.csv': { encoding: 'windows-1252', separator: ';', newline: '\r\n' },
    'excel-german-utf8.csv': { encoding: 'utf-8', hasBom: true, separator: ';' },
    'excel-sep-line.csv': { encoding: 'utf-8', hasBom: true, separator: '|' },
    'excel-unicode-text.txt': { encoding: 'utf-16le', hasBom: true, separator: '\t' },
    'excel-empty-cells.csv': { encoding: 'windows-1252', separator: ';' },
    'numbers-german.csv': { encoding: 'utf-8', separator: ';', newline: '\n' },
  };
  for (const [name, format] of Object.entries(formats)) {
    const list = await readListFile(join(fixtures, name));
    t.match(list.format, { kind: 'csv', quote: '"', hasHeader: true, ...format }, name);
    t.same(list.columns, ['Vorname', 'Nachname', 'E-Mail', 'Ort', 'Notiz'], name);
    t.same(valuesOf(list), german, name);
    t.same([list.problems, list.headerProblems], [[], []], name);
  }
  const sheets = await readListFile(join(fixtures, 'google-sheets.csv'));
  t.match(sheets.format, { encoding: 'utf-8', separator: ',', newline: '\r\n' });
  t.same(valuesOf(sheets).slice(0, 4), german);
  t.same(valuesOf(sheets)[4], ['محمد', 'علي', 'm@example.com', 'القاهرة', 'שלום, 你好']);
});

t.test('a CSV of Excel is read in the code page of its language', async (t) => {
  const cases: [name: string, encoding: string, row: string[]][] = [
    ['japanese', 'shift_jis', ['佐藤', '花子', 'hanako@example.com', '大阪市', '十分\n能力']],
    ['chinese', 'gb18030', ['李娜', 'li@example.com', '上海']],
    ['russian', 'windows-1251', ['Пётр', 'Чайковский', 'Санкт-Петербург']],
    ['polish', 'windows-1250', ['Małgorzata', 'Świątek', 'Kraków']],
    ['arabic', 'windows-1256', ['فاطمة', 'f@example.com', 'دبي']],
  ];
  for (const [name, encoding, row] of cases) {
    const list = await readListFile(join(fixtures, `excel-${name}-ansi.csv`));
    t.match(list.format, { encoding }, name);
    t.same(valuesOf(list)[1], row, name);
  }
});

t.test('the sheet of a LibreOffice workbook is read with dates, numbers and texts', async (t) => {
  t.match(await readListFile(join(fixtures, 'members.xlsx')), members);
  const towns = await readListFile(join(fixtures, 'members.xlsx'), { sheet: 'Orte' });
  t.same([towns.columns, valuesOf(towns)], [['Ort', 'Land'], [['Köln', 'DE']]]);
});

t.test('the sheet of an ODS has the same values as that of an XLSX', async (t) => {
  const format = { ...members.format, kind: 'ods' };
  const ods = await readListFile(join(fixtures, 'members.ods'));
  t.match(ods, { ...members, format });
  const gnumeric = await readListFile(join(fixtures, 'members-gnumeric.ods'));
  t.match(gnumeric, { ...members, format, rows: members.rows.slice(0, 1) });
  t.match(gnumeric.rows[2], members.rows[2]);
  const towns = await readListFile(join(fixtures, 'members.ods'), { sheet: 'Orte' });
  t.same([towns.columns, valuesOf(towns)], [['Ort', 'Land'], [['Köln', 'DE']]]);
});

t.test('a flat ODS is read as it was written', async (t) => {
  const list = await readListFile(join(fixtures, 'members.fods'));
  t.match(list, {
    columns: members.columns,
    rows: [{ values: members.rows[0]?.values.slice(0, 11) }],
  });
});

t.test('a CSV of LibreOffice has a problem for the row with an error', async (t) => {
  const list = await readListFile(join(fixtures, 'libreoffice.csv'));
  t.match(list.problems, [{ row: 2, line: 4, cause: 'formula-error', column: 'Doppelt' }]);
  t.same(
    list.rows.map(({ row, line }) => [row, line]),
    [
      [1, 2],
      [4, 6],
      [5, 7],
    ],
  );
});
