/** The law of the threads beside the one that answers: what they may use for a list, a table, a font and rows of a campaign. */
import * as fc from 'fast-check';
import { xlsx, xlsxParts, zip } from '../mailings/lists/xlsx-file.ts';

const mebibyte = 2 ** 20;

/** CPU time in ms. */
export const threadLaw = {
  /**
   * Imports of lists and tables, each on a thread of its own, by what is sent: so many rows are stored, and bytes read.
   * An XLSX is compressed, and some of its markup is read before it counts.
   */
  import: { text: { startMs: 1000, mebibyteMs: 500 }, xlsx: { startMs: 6000, mebibyteMs: 8000 } },
  importMsMax: 300_000,
  rowMs: 0.01,
  /** Inspection of a font, of which one runs at a time: the thread is ended then. */
  fontMs: 8000,
  /** Turn of the thread that changes rows of tables: a request of 1,000 rows. Those of all organizations take turns. */
  changeMs: 500,
  /** Turn of the thread of campaigns, and time of a row: that of a link. */
  campaign: { turnMs: 100, startMs: 500, rowMs: 50, mebibyteMs: 250 },
} as const;

/** A list as it is uploaded. */
export interface SentList {
  name: string;
  contentType: string;
  body: Buffer;
  rows: number;
}

/** CPU time in ms that an import of a list may take. */
export function importMsMax({ contentType, body, rows }: SentList): number {
  const kind = contentType === xlsxType ? 'xlsx' : 'text';
  const { startMs, mebibyteMs } = threadLaw.import[kind];
  const sum = startMs + (mebibyteMs * body.length) / mebibyte + threadLaw.rowMs * rows;
  return Math.min(sum, threadLaw.importMsMax);
}

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** As many rows as make so many bytes. */
function textList(
  name: string,
  contentType: string,
  header: string,
  row: string,
  bytes: number,
): SentList {
  const rows = Math.max(1, Math.min(1_000_000, Math.floor(bytes / Buffer.byteLength(row))));
  return { name, contentType, body: Buffer.from(header + row.repeat(rows)), rows };
}

function sheetList(name: string, content: string, rows: number): SentList {
  const sheet = `<worksheet><sheetData>${content}</sheetData></worksheet>`;
  const parts = { ...xlsxParts({ rows: '' }), 'xl/worksheets/sheet1.xml': sheet };
  return { name, contentType: xlsxType, body: zip(parts), rows };
}

const columns = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `c${index}`);

/** Lists that are expensive for their bytes; each has about so many, decompressed. */
export function hostileLists(bytes: number): SentList[] {
  const attributes = columns(250).map((name) => `${name}=""`);
  const header = '<row><c t="str"><v>c0</v></c></row>';
  const end = '<row><c><v>1</v></c></row>';
  const filled = (piece: string): string => piece.repeat(Math.ceil(bytes / piece.length));
  const json = 'application/x-ndjson';
  return [
    textList('short rows', 'text/csv', 'c0\n', 'x\n', bytes),
    textList('cells without a column', 'text/csv', 'c0,c1\n', `${','.repeat(250_000)}x\n`, bytes),
    textList('quotes', 'text/csv', 'c0,c1\n', `1,"${'""'.repeat(16_000)}"\n`, bytes),
    textList('empty lines', 'text/csv', 'c0\nx\n', '\n', bytes),
    textList('numbers that keep digits', json, '', '{"c0":1.5}\n', bytes),
    textList('objects', json, '', `{"c0":1.5,"c1":[${'{},'.repeat(10_000)}1]}\n`, bytes),
    textList('nesting', json, '{"c0":1}\n', `{"c0":1.5,"c1":${'['.repeat(120_000)}\n`, bytes),
    sheetList('elements before the header', filled('<a/>') + header + end, 1),
    sheetList('attributes', header + filled(`<a ${attributes.join(' ')}/>`) + end, 1),
    sheetList('empty cells', header + filled(`<row>${'<c/>'.repeat(200)}</row>`) + end, 1),
    sheetList('character references', header + filled(`${'&#65;'.repeat(600)}<a/>`) + end, 1),
  ];
}

/** Cells near the limits of a table, and plain ones. */
const cell = fc.oneof(
  fc.constantFrom('', '1', '1.5', 'Amanda', '=1+1', '[1.5,{}]', 'ẞ漢😀', '\uFFFD', '2026-11-27'),
  fc
    .tuple(
      fc.constantFrom('x', '"', '\r\n', 'ẞ漢😀', '\\', '{{a}}'),
      fc.constantFrom(20, 900, 7900),
    )
    .map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length))),
);

/** Lists of a seed, of about so many bytes. */
export function generatedLists(count: number, seed: number, bytes: number): SentList[] {
  const list = fc
    .record({
      cells: fc.array(cell, { minLength: 1, maxLength: 100 }),
      kind: fc.constantFrom('csv', 'json', 'xlsx'),
      separator: fc.constantFrom(',', ';', '\t'),
    })
    .map(({ cells, kind, separator }): SentList => {
      const name = `generated ${kind} of ${cells.length} columns`;
      const names = columns(cells.length);
      if (kind === 'json') {
        const row = JSON.stringify(Object.fromEntries(names.map((each, at) => [each, cells[at]])));
        return textList(name, 'application/x-ndjson', '', `${row}\n`, bytes);
      }
      if (kind === 'csv') {
        const row = cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(separator);
        return textList(name, 'text/csv', `${names.join(separator)}\n`, `${row}\n`, bytes);
      }
      const rowOf = (texts: readonly string[]): string => {
        const escaped = texts.map((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
        return `<row>${escaped.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
      };
      const row = rowOf(cells);
      const rows = Math.max(1, Math.floor(bytes / row.length));
      return {
        name,
        contentType: xlsxType,
        body: xlsx({ rows: rowOf(names) + row.repeat(rows) }),
        rows,
      };
    });
  return fc.sample(list, { numRuns: count, seed });
}
