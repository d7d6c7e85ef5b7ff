import t from 'tap';
import { readList, refusal, valuesOf } from '../list-files.ts';
import { ods, odsCell as cell, odsContent, odsRow, odsTable } from '../ods-file.ts';

/** The values of a sheet with one column, whose cells have this XML inside their row. */
async function valuesOfCells(
  cells: readonly string[],
  styles = '',
  columns = '',
): Promise<string[]> {
  const rows = cells.map(
    (each) =>
      `<table:table-row>${each}<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row>`,
  );
  const list = await readList(
    ods({ tables: odsTable(`${columns}${odsRow('value', 'x')}${rows.join('')}`), styles }),
  );
  t.same(list.problems, []);
  return valuesOf(list).map(([value = '']) => value);
}

const paragraphs = (content: string): string => cell('office:value-type="string"', content);

t.test('numbers, dates and times become the values that they have in an XLSX', async (t) => {
  const styles = `
    <number:number-style style:name="N5"><number:number number:min-integer-digits="5"/></number:number-style>
    <number:number-style style:name="N5euro"><number:number number:min-integer-digits="5"/><number:text> €</number:text></number:number-style>
    <number:number-style style:name="negative"><number:text>-</number:text><number:number number:min-integer-digits="5"/><style:map style:condition="value()&gt;=0" style:apply-style-name="N5"/></number:number-style>
    <number:date-style style:name="D"><number:day/><number:text>.</number:text><number:month/></number:date-style>
    <number:date-style style:name="DT"><number:year/><number:month/><number:day/><number:hours/><number:minutes/></number:date-style>
    <number:date-style style:name="DTS"><number:year/><number:hours/><number:minutes/><number:seconds/></number:date-style>
    <number:date-style style:name="T"><number:hours/><number:minutes/></number:date-style>
    <number:time-style style:name="clock"><number:hours/><number:minutes/><number:seconds/></number:time-style>
    <number:time-style style:name="long" number:truncate-on-overflow="false"><number:hours/><number:minutes/></number:time-style>
    ${['N5', 'N5euro', 'negative', 'D', 'DT', 'DTS', 'T', 'clock', 'long']
      .map(
        (name) =>
          `<style:style style:name="c${name}" style:family="table-cell" style:data-style-name="${name}"/>`,
      )
      .join('')}
    <style:style style:name="child" style:family="table-cell" style:parent-style-name="cN5"/>
    <style:style style:name="loop" style:family="table-cell" style:parent-style-name="loop"/>`;
  const float = 'office:value-type="float" office:value';
  const date = 'office:value-type="date" office:date-value';
  const time = 'office:value-type="time" office:time-value';
  const cases: [attributes: string, value: string][] = [
    [`${float}="1234.5"`, '1234.5'],
    [`${float}="0.30000000000000004"`, '0.3'],
    [`${float}="1E-7"`, '0.0000001'],
    [`${float}="7" table:style-name="cN5"`, '00007'],
    [`${float}="7" table:style-name="child"`, '00007'],
    [`${float}="7" table:style-name="loop"`, '7'],
    [`${float}="7" table:style-name="cN5euro"`, '7'],
    [`${float}="7" table:style-name="cnegative"`, '00007'],
    ['office:value-type="percentage" office:value="0.15"', '0.15'],
    ['office:value-type="currency" office:currency="EUR" office:value="99.9"', '99.9'],
    ['office:value-type="boolean" office:boolean-value="true"', 'TRUE'],
    ['office:value-type="boolean" office:boolean-value="false"', 'FALSE'],
    [`${date}="2026-11-27"`, '2026-11-27'],
    [`${date}="2026-11-27T18:30:59" table:style-name="cD"`, '2026-11-27'],
    [`${date}="2026-11-27" table:style-name="cDT"`, '2026-11-27T00:00'],
    [`${date}="2026-11-27T18:30:59.999" table:style-name="cDT"`, '2026-11-27T18:30'],
    [`${date}="2026-11-27T23:59:59.9999999" table:style-name="cDTS"`, '2026-11-28T00:00:00'],
    [`${date}="2026-11-27T18:30:00"`, '2026-11-27T18:30'],
    [`${date}="2026-11-27T18:30:00" table:style-name="cT"`, '18:30'],
    [`${date}="1899-12-31"`, '1899-12-31'],
    [`${date}="0099-02-28" table:style-name="cD"`, '0099-02-28'],
    [`${date}="soon"`, 'soon'],
    [`${time}="PT08H05M00S" table:style-name="cclock"`, '08:05:00'],
    [`${time}="PT26H30M00S" table:style-name="cclock"`, '02:30:00'],
    [`${time}="PT26H30M00S" table:style-name="clong"`, '26:30'],
    [`${time}="PT08H05M00S"`, '08:05'],
    [`${time}="P1DT2H5S"`, '26:00:05'],
    [`${time}="-PT12H0M0S"`, '-0.5'],
    [`${time}="later"`, 'later'],
  ];
  const values = await valuesOfCells(
    cases.map(([attributes]) => cell(attributes)),
    styles,
  );
  for (const [index, [attributes, value]] of cases.entries()) {
    t.equal(values[index], value, attributes);
  }
});

t.test('a cell without a style has that of its row, or of its column', async (t) => {
  const styles = `<number:number-style style:name="N"><number:number number:min-integer-digits="5"/></number:number-style><style:style style:name="zip" style:family="table-cell" style:data-style-name="N"/><style:style style:name="plain" style:family="table-cell"/>`;
  const value = 'office:value-type="float" office:value="7"';
  const columns =
    '<table:table-column table:number-columns-repeated="1" table:default-cell-style-name="zip"/><table:table-column/>';
  t.same(
    await valuesOfCells([cell(value), cell(`${value} table:style-name="plain"`)], styles, columns),
    ['00007', '7'],
  );
  const row = `<table:table-row table:default-cell-style-name="zip">${cell(value)}</table:table-row>`;
  const list = await readList(ods({ tables: odsTable(odsRow('a') + row), styles }));
  t.same(valuesOf(list), [['00007']]);
});

t.test('number formats of styles.xml hold, too', async (t) => {
  const styles = odsContent({ tables: '' })
    .replace('<office:body><office:spreadsheet></office:spreadsheet></office:body>', '')
    .replace(
      '</office:automatic-styles>',
      '<number:number-style style:name="N"><number:number number:min-integer-digits="3"/></number:number-style><style:style style:name="zip" style:family="table-cell" style:data-style-name="N"/></office:automatic-styles>',
    );
  const row = `<table:table-row>${cell('table:style-name="zip" office:value-type="float" office:value="7"')}</table:table-row>`;
  const list = await readList(
    ods({ tables: odsTable(odsRow('a') + row) }, { 'styles.xml': styles }),
  );
  t.same(valuesOf(list), [['007']]);
});

t.test('the text of a cell is that of its paragraphs alone', async (t) => {
  const cases: [content: string, value: string][] = [
    [
      '<text:p>a <text:span>bold</text:span> <text:a href="https://x.example">link</text:a></text:p>',
      'a bold link',
    ],
    ['<text:p>one</text:p><text:p/><text:p>three</text:p>', 'one\n\nthree'],
    [
      '<text:p>a<text:s text:c="3"/>b<text:s/>c<text:tab/>d<text:line-break/>e</text:p>',
      'a   b c\td\ne',
    ],
    ['<text:p>\n   a\n   b </text:p>', 'a b '],
    [
      '<office:annotation><text:p>a comment</text:p></office:annotation><text:p>seen</text:p>',
      'seen',
    ],
    [
      '<text:p><text:ruby><text:ruby-base>山田</text:ruby-base><text:ruby-text>やまだ</text:ruby-text></text:ruby> 太郎</text:p>',
      '山田 太郎',
    ],
    [
      '<draw:frame><draw:text-box><text:p>a shape</text:p></draw:text-box></draw:frame><text:p>cell</text:p>',
      'cell',
    ],
    ['<text:p>&lt;b&gt; &amp; <![CDATA[<i>]]> =1+1 _x000D_</text:p>', '<b> & <i> =1+1 _x000D_'],
  ];
  const values = await valuesOfCells(cases.map(([content]) => paragraphs(content)));
  for (const [index, [content, value]] of cases.entries()) t.equal(values[index], value, content);
});

t.test('repeated and covered cells and rows stand where they are seen', async (t) => {
  const rows =
    odsRow('a', 'b', 'c') +
    '<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>' +
    '<table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string" table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16382"/></table:table-row>' +
    '<table:table-header-rows><table:table-row-group><table:table-row><table:table-cell table:number-columns-spanned="2" office:value-type="string"><text:p>wide</text:p></table:table-cell><table:covered-table-cell/><table:table-cell office:value-type="string"><text:p>c</text:p></table:table-cell></table:table-row></table:table-row-group></table:table-header-rows>' +
    '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>' +
    odsRow('last');
  const list = await readList(ods({ tables: odsTable(rows) }));
  t.same(list.rows, [
    { row: 4, line: 5, values: ['x', 'x', ''] },
    { row: 5, line: 6, values: ['x', 'x', ''] },
    { row: 6, line: 7, values: ['wide', '', 'c'] },
    { row: 1_048_007, line: 1_048_008, values: ['last', '', ''] },
  ]);
});

t.test('formulas that failed, or that nobody calculated, are problems of their rows', async (t) => {
  const row = (attributes: string, text: string): string =>
    `<table:table-row>${cell(attributes, text)}${cell('office:value-type="string"', '<text:p>x</text:p>')}</table:table-row>`;
  const rows =
    odsRow('a', 'b') +
    row(
      'table:formula="of:=1/0" office:value-type="string" office:string-value="" calcext:value-type="error"',
      '<text:p>Err:502</text:p>',
    ) +
    row('table:formula="of:=NA()" office:value-type="string" office:string-value="#N/A"', '') +
    row('table:formula="of:=A1"', '') +
    row(
      'table:formula="of:=&quot;&quot;" office:value-type="string" office:string-value=""',
      '<text:p/>',
    ) +
    row(
      'table:formula="of:=&quot;y&quot;" office:value-type="string" office:string-value="y"',
      '<text:p>y</text:p>',
    );
  const list = await readList(ods({ tables: odsTable(rows) }));
  t.match(list.problems, [
    { row: 1, cause: 'formula-error', column: 'a', message: /the error Err:502 of a formula/ },
    { row: 2, cause: 'formula-error', column: 'a' },
    { row: 3, cause: 'formula-without-result', column: 'a' },
  ]);
  t.same(valuesOf(list), [
    ['', 'x'],
    ['y', 'x'],
  ]);
});

t.test('tables of changes, links, charts and hidden sheets are none of the list', async (t) => {
  const styles =
    '<style:style style:name="off" style:family="table"><style:table-properties table:display="false"/></style:style>';
  const inner = odsTable(odsRow('wrong'), 'inner');
  const tables =
    `<table:tracked-changes><table:deletion>${inner}</table:deletion></table:tracked-changes>` +
    odsTable(odsRow('hidden'), 'Hidden', 'table:style-name="off"') +
    odsTable(
      `<table:shapes><draw:frame>${inner}</draw:frame></table:shapes><office:forms/>${odsRow('a')}<table:table-row><table:table-cell office:value-type="string"><text:p>1</text:p>${inner}</table:table-cell></table:table-row>`,
      'List',
    ) +
    `<table:dde-links><table:dde-link>${inner}</table:dde-link></table:dde-links>`;
  const file = ods({ tables, styles });
  const list = await readList(file);
  t.same(list.format, { kind: 'ods', sheet: 'List', sheets: ['List'], hasHeader: true });
  t.same([list.columns, valuesOf(list)], [['a'], [['1']]]);
  t.match(
    (await refusal(file, { sheet: 'Hidden' })).message,
    'The ODS has no visible sheet "Hidden". Expected one of "List".',
  );
});

t.test('a flat file is a list of the same sheets', async (t) => {
  const tables = odsTable(odsRow('a') + odsRow('Köln'));
  for (const start of ['', '\uFEFF']) {
    const list = await readList(start + odsContent({ tables }, 'document'));
    t.same([list.format.kind, list.columns, valuesOf(list)], ['ods', ['a'], [['Köln']]]);
  }
});
