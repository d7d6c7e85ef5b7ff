import t from 'tap';
import { requireSheet } from '../../../../src/mailings/lists/workbook/open-sheet.ts';
import { readList, valuesOf } from '../list-files.ts';
import { ods, odsRow, odsTable } from '../ods-file.ts';
import { xlsxParts, zip } from '../xlsx-file.ts';

/** Sheets by their names, each with the text of its one cell; an empty text is an empty sheet. */
type Sheets = Readonly<Record<string, string>>;

function xlsxOf(sheets: Sheets): Buffer {
  const names = Object.keys(sheets);
  const parts = xlsxParts({
    rows: '',
    sheets: names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index}"/>`)
      .join(''),
  });
  const relations = 'xl/_rels/workbook.xml.rels';
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
  for (const [index, name] of names.entries()) {
    const text = sheets[name] ?? '';
    const cell =
      text === ''
        ? ''
        : `<row r="3"><c t="inlineStr"><is><t>${text}</t></is></c></row><row r="4"><c t="inlineStr"><is><t>1</t></is></c></row>`;
    parts[`xl/worksheets/s${index}.xml`] = `<worksheet><sheetData>${cell}</sheetData></worksheet>`;
    parts[relations] = (parts[relations] ?? '').replace(
      '</Relationships>',
      `<Relationship Id="s${index}" Type="${type}" Target="worksheets/s${index}.xml"/></Relationships>`,
    );
  }
  return zip(parts);
}

function odsOf(sheets: Sheets): Buffer {
  const tables = Object.entries(sheets).map(([name, text]) =>
    odsTable(text === '' ? '<table:table-row/>' : odsRow(text) + odsRow('1'), name),
  );
  return ods({ tables: tables.join('') });
}

for (const [kind, write] of Object.entries({ xlsx: xlsxOf, ods: odsOf })) {
  t.test(`${kind}: several sheets with rows are a question`, async (t) => {
    const file = write({ Empty: '', People: 'a', Notes: '', Towns: 'b' });
    const list = await readList(file);
    const sheets = ['Empty', 'People', 'Notes', 'Towns'];
    t.same(list.format, { kind, sheet: 'People', sheets, hasHeader: true, isSheetDoubted: true });
    t.same([list.columns, valuesOf(list)], [['a'], [['1']]]);
    t.throws(() => requireSheet(list.format), {
      code: 'BAD_REQUEST',
      message: `The ${kind.toUpperCase()} has several sheets with rows, and none is chosen. Name one by "sheet", or by --sheet in a command: "Empty", "People", "Notes", "Towns".`,
    });
    for (const [sheet, column] of [
      ['People', 'a'],
      ['Towns', 'b'],
    ] as const) {
      const named = await readList(file, { sheet });
      t.same([named.format, named.columns], [{ kind, sheet, sheets, hasHeader: true }, [column]]);
      t.doesNotThrow(() => requireSheet(named.format));
    }
  });

  t.test(`${kind}: empty sheets beside the list are no question`, async (t) => {
    const list = await readList(write({ Cover: '', People: 'a', Sheet3: '' }));
    t.match(list.format, { sheet: 'People' });
    t.notOk('isSheetDoubted' in list.format);
    await t.rejects(readList(write({ A: '', B: '' })), {
      message: 'The sheets "A", "B" are empty.',
    });
    await t.rejects(readList(write({ A: 'a', B: '' }), { sheet: 'B' }), {
      message: 'The sheet "B" is empty.',
    });
  });
}
