import t from 'tap';
import { listLimits, workbookLimits } from '../../../src/mailings/lists/list-limits.ts';
import { MarkupBounds, ReadingSteps } from '../../../src/mailings/lists/workbook/markup-bounds.ts';
import { readList, refusal, valuesOf } from './list-files.ts';
import { xlsx, xlsxParts, zip, type WorkbookParts } from './xlsx-file.ts';

/** A sheet of one column with these cells below the header. */
function column(cells: readonly string[], more: Partial<WorkbookParts> = {}): Buffer {
  const header = '<c t="inlineStr"><is><t>x</t></is></c>';
  const rows = [header, ...cells].map((cell) => `<row>${cell}</row>`);
  return xlsx({ rows: rows.join(''), ...more });
}

async function cellsOf(cells: readonly string[], more?: Partial<WorkbookParts>): Promise<string[]> {
  return valuesOf(await readList(column(cells, more))).map(([value = '']) => value);
}

t.test('each type of cell is a text', async (t) => {
  const texts =
    '<si><t>plain</t></si>' +
    '<si><r><t>rich </t></r><r><rPr><b/></rPr><t xml:space="preserve"> text</t></r></si>' +
    '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>' +
    '<si><t>a_x000D_&#10;b _x005F_x0041_ _x263a_</t></si>';
  const cells: [cell: string, value: string][] = [
    ['<c t="s"><v>0</v></c>', 'plain'],
    ['<c t="s"><v>1</v></c>', 'rich  text'],
    ['<c t="s"><v>2</v></c>', '東京'],
    ['<c t="s"><v>3</v></c>', 'a\r\nb _x0041_ ☺'],
    ['<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>', 'inline'],
    ['<c t="str"><f>A1</f><v>result &amp; more</v></c>', 'result & more'],
    ['<c t="b"><v>1</v></c>', 'TRUE'],
    ['<c t="b"><v>0</v></c>', 'FALSE'],
    ['<c t="d"><v>2026-11-27</v></c>', '2026-11-27'],
    ['<c><v>4915112345678</v></c>', '4915112345678'],
    ['<c><v>4.915112345678E12</v></c>', '4915112345678'],
    ['<c><v>0.30000000000000004</v></c>', '0.3'],
    ['<c><v>1E-007</v></c>', '0.0000001'],
    ['<c><v>-5</v></c>', '-5'],
  ];
  t.same(
    await cellsOf(
      cells.map(([cell]) => cell),
      { texts },
    ),
    cells.map(([, value]) => value),
  );
});

t.test('the number format decides on dates, times, durations and leading zeros', async (t) => {
  const cases: [code: string, stored: string, value: string][] = [
    ['yyyy\\-mm\\-dd', '46353', '2026-11-27'],
    ['d. mmmm', '46353.99', '2026-11-27'],
    ['[$-407]dd.mm.yyyy hh:mm;@', '46353.7708333333', '2026-11-27T18:30'],
    ['h:mm AM/PM', '0.770833333333', '18:30'],
    ['[Red]hh:mm:ss', '46353.5', '12:00:00'],
    ['yyyy-mm-dd', '1', '1900-01-01'],
    ['yyyy-mm-dd', '59', '1900-02-28'],
    ['yyyy-mm-dd', '60', '1900-02-29'],
    ['yyyy-mm-dd', '61', '1900-03-01'],
    ['yyyy-mm-dd', '2958465', '9999-12-31'],
    ['yyyy-mm-dd', '2958466', '2958466'],
    // The last part of a second, as databases write the end of a day.
    ['yyyy-mm-dd', '46353.999999988', '2026-11-27'],
    ['yyyy-mm-dd', '46353.99999421296', '2026-11-27'],
    ['mmm d', '46356.999999988426', '2026-11-30'],
    ['yyyy-mm-dd hh:mm', '46353.99999998843', '2026-11-27T23:59'],
    ['yyyy-mm-dd hh:mm:ss', '46353.99999998843', '2026-11-27T23:59:59'],
    ['h:mm', '46353.99999998843', '23:59'],
    ['h:mm', '0.770833321759259', '18:29'],
    ['[h]:mm', '1.99999998842593', '47:59'],
    // A whole second, as far as its digits say.
    ['h:mm:ss', '0.770833', '18:30:00'],
    ['yyyy-mm-dd hh:mm:ss', '46353.7708333333', '2026-11-27T18:30:00'],
    ['yyyy-mm-dd hh:mm:ss', '46353.99998842593', '2026-11-27T23:59:59'],
    ['yyyy-mm-dd', '46353.99999999999', '2026-11-28'],
    ['yyyy-mm-dd', '-1', '-1'],
    ['[h]:mm', '1.10416666666667', '26:30'],
    ['00000', '1234', '01234'],
    ['0%', '0.15', '0.15'],
    ['#,##0.00\\ [$€-407]', '1234.5', '1234.5'],
    ['0.00E+00', '12000', '12000'],
    ['&quot;days&quot; 0', '5', '5'],
    ['General', '5', '5'],
    ['0 [$USD]', '5', '5'],
  ];
  const cells = cases.map(([, stored], index) => `<c s="${index + 1}"><v>${stored}</v></c>`);
  t.same(
    await cellsOf(cells, { formats: cases.map(([code]) => code) }),
    cases.map(([, , value]) => value),
  );
});

t.test('dates count from 1904 where the workbook says so', async (t) => {
  const more = { formats: ['yyyy-mm-dd'], properties: 'date1904="1"' };
  t.same(await cellsOf(['<c s="1"><v>0</v></c>', '<c s="1"><v>44891</v></c>'], more), [
    '1904-01-01',
    '2026-11-27',
  ]);
});

t.test('rows and cells stand where their references say, or follow each other', async (t) => {
  const rows =
    '<row r="3"><c r="B3" t="inlineStr"><is><t>b</t></is></c><c t="inlineStr"><is><t>c</t></is></c></row>' +
    '<row r="5"><c r="C5"><v>1</v></c><c r="AA5" s="0"/></row><row><c r="B6"><v>2</v></c></row>';
  const list = await readList(xlsx({ rows }));
  t.same([list.headerRow, list.columns], [3, ['Column A', 'b', 'c']]);
  t.match(list.headerProblems, [{ column: 1, cause: 'empty-name' }]);
  t.same(list.rows, [
    { row: 2, line: 5, values: ['', '', '1'] },
    { row: 3, line: 6, values: ['', '2', ''] },
  ]);
});

t.test('an error and a formula without a result are problems of their row', async (t) => {
  const list = await readList(
    column([
      '<c t="e"><v>#DIV/0!</v></c>',
      '<c><f>A1</f></c>',
      '<c t="str"><f>""</f><v></v></c>',
      '<c><v>1</v></c><c><v>2</v></c>',
      '<c><v>3</v></c>',
    ]),
  );
  t.match(list.problems, [
    {
      row: 1,
      line: 2,
      cause: 'formula-error',
      column: 'x',
      message: 'Column "x" has the error #DIV/0!',
    },
    { row: 2, line: 3, cause: 'formula-without-result', column: 'x' },
    { row: 4, line: 5, cause: 'too-many-cells' },
  ]);
  t.same(valuesOf(list), [['3']]);
});

t.test('the first visible sheet is read, or the named one', async (t) => {
  const sheets =
    '<sheet name="H" sheetId="1" state="hidden" r:id="rId1"/><sheet name="V" sheetId="2" r:id="rId1"/>';
  const file = column(['<c><v>1</v></c>'], { sheets });
  t.match((await readList(file)).format, { sheet: 'V', sheets: ['V'] });
  t.match(await refusal(file, { sheet: 'H' }), {
    message: 'The XLSX has no visible sheet "H". Expected one of "V".',
  });
});

t.test('a row that repeats long texts is a problem of its own, and is not held', async (t) => {
  const texts = `<si><t>${'x'.repeat(32_000)}</t></si>`;
  const row = (cells: number): string => `<row>${'<c t="s"><v>0</v></c>'.repeat(cells)}</row>`;
  const names = Array.from({ length: 9 }, (_, index) => `<c t="str"><v>c${index}</v></c>`);
  const rows = `<row>${names.join('')}</row>${row(9)}${row(8)}`;
  const list = await readList(xlsx({ rows, texts }));
  t.match(list.problems, [{ row: 1, cause: 'too-long', message: /more than 262,144 characters/ }]);
  t.same(
    list.rows.map(({ row: number, values }) => [number, values.join('').length]),
    [[2, 256_000]],
  );
});

t.test('comments of the parts of a workbook are nothing', async (t) => {
  const parts = xlsxParts({ rows: '<row><c><v>1</v></c></row><row><c><v>2</v></c></row>' });
  t.same(valuesOf(await readList(zip(parts, {}, 'x'.repeat(65_535)))), [['1'], ['2']]);
});

t.test('a number format of any length is judged at once', async (t) => {
  const formats = ['['.repeat(500_000), `&quot;${'x'.repeat(500_000)}`];
  const cells = ['<c s="1"><v>5</v></c>', '<c s="2"><v>5</v></c>'];
  t.same(await cellsOf(cells, { formats }), ['5', '5']);
});

t.test('a damaged, hostile or other file is refused with a reason', async (t) => {
  const parts = xlsxParts({ rows: '<row><c><v>1</v></c></row>' });
  const sheet = 'xl/worksheets/sheet1.xml';
  const withRows = (rows: string): Buffer => xlsx({ rows });
  const withSheet = (content: string | Buffer): Buffer => zip({ ...parts, [sheet]: content });
  const big = Buffer.alloc(40 * 1024 * 1024, ' ');
  const long = `<row><c t="inlineStr"><is><t>${'x'.repeat(32_768)}</t></is></c></row>`;
  const empty = (length: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`part${index}`, '']));
  const attributes = Array.from({ length: 257 }, (_, index) => `a${index}=""`).join(' ');
  const sheets = '<sheet name="a" sheetId="1" r:id="rId1"/>'.repeat(1001);
  const styles = Buffer.alloc(17 * 1024 * 1024, ' ');
  const entity = '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>';
  const cases: Record<string, [name: string, file: Buffer, message: RegExp][]> = {
    BAD_REQUEST: [
      ['no directory', Buffer.from('PK\x03\x04 and nothing'), /cannot be read/],
      ['cut short', xlsx({ rows: '' }).subarray(0, 900), /cannot be read/],
      ['another ZIP', zip({ mimetype: 'application/vnd.oasis' }), /no XLSX/],
      ['no XML', withSheet('<a><b></a>'), /no well-formed XML/],
      ['ends early', withSheet('<worksheet><row>'), /no well-formed/],
      ['entities', withSheet(entity), /document type/],
      ['unknown entity', withRows('<row><c><v>&b;</v></c></row>'), /well-formed/],
      ['rows backwards', withRows('<row r="2"/><row r="1"/>'), /row 1 follows row 2/],
      ['no such text', withRows('<row><c t="s"><v>9</v></c></row>'), /the text 9/],
      ['empty', withRows(''), /"Sheet1" is empty/],
      ['no sheet', xlsx({ rows: '', sheets: '' }), /no visible sheet/],
      ['size that lies', zip({ ...parts, [sheet]: big }, { [sheet]: 1000 }), /cannot be read/],
    ],
    PAYLOAD_TOO_LARGE: [
      [
        'large directory',
        zip(empty(64), {}, 'x'.repeat(65_535)),
        /names and comments of the files .* more than 4,194,304 bytes/,
      ],
      ['far cell', withRows('<row><c r="XFD1"><v>1</v></c></row>'), /column XFD/],
      ['bomb', withSheet(big), /compressed [\d,]+ times/],
      ['long tag', withSheet(`<a b="${'c'.repeat(3_145_728)}"/>`), /a tag or a text of more/],
      ['long cell', withRows(long), /more than 32,767 characters/],
      ['many sheets', xlsx({ rows: '', sheets }), /more than 1,000 visible sheets/],
      [
        'long name',
        xlsx({ rows: '', sheets: `<sheet name="${'a'.repeat(256)}" r:id="rId1"/>` }),
        /a name of 256 characters/,
      ],
      ['many attributes', withRows(`<row ${attributes}/>`), /more than 256 attributes/],

      [
        'long description',
        zip({ ...parts, 'xl/styles.xml': styles }),
        /styles\.xml of the XLSX has 17,825,792 bytes, at most 16,777,216/,
      ],
      ['many files', zip(empty(10_001)), /10,001 files/],
    ],
  };
  // Each part has another reader.
  for (const part of Object.keys(parts)) {
    const file = zip({ ...parts, [part]: '<a>'.repeat(100_000) });
    const message = new RegExp(`^${part} of .* deeper than 128`);
    cases['PAYLOAD_TOO_LARGE']?.push([`deep ${part}`, file, message]);
  }
  for (const [code, refused] of Object.entries(cases)) {
    for (const [name, file, message] of refused) {
      t.match(await refusal(file), { code, message }, name);
    }
  }
});

t.test('elements as deep as the limit are read', async (t) => {
  const deep = `${'<a>'.repeat(124)}${'</a>'.repeat(124)}`;
  t.same(await cellsOf([`<c><v>1</v>${deep}</c>`]), ['1']);
});

t.test('the parts of a file together have so many elements, attributes and bytes', async (t) => {
  const sum = (steps: ReadingSteps, bounds: MarkupBounds, count: number) => {
    for (let index = 0; index < count; index += 4) {
      bounds.open({ r: 'A1' });
      bounds.close();
      bounds.read(32);
    }
    return steps.steps;
  };
  const steps = new ReadingSteps('XLSX', 1000, 9_000_000);
  t.equal(sum(steps, new MarkupBounds('a', steps), 500_000), 9_500_000);
  t.equal(sum(steps, new MarkupBounds('b', steps), 516_000), 10_016_000);
  const message =
    /^The parts of the XLSX have more than 10,016,000 elements, .* limit for a file of 1,000 bytes/;
  t.throws(() => steps.add(1), { code: 'PAYLOAD_TOO_LARGE', message });
  const { fileBytesMax } = listLimits;
  const all = new ReadingSteps('XLSX', fileBytesMax, workbookLimits.stepsMax);
  t.throws(() => all.add(1), { code: 'PAYLOAD_TOO_LARGE', message: /more than 200,000,000 ele/ });
});
