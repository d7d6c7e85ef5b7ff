/** Opens a CSV: detects its dialect, finds its header, and reads its rows. */
import { isHeader, nameColumns, readHeader } from '../header.ts';
import {
  unreadable,
  type CsvFormat,
  type List,
  type ListBatch,
  type ListOptions,
} from '../list.ts';
import { RowCollector } from '../row-collector.ts';
import { encodedBytes, markBytes, readText, wholeText, type TextChunk } from '../text/read-text.ts';
import type { TextEncoding } from '../text/detect-encoding.ts';
import { CsvParser } from './csv-parser.ts';
import { detectDialect, type DetectedDialect } from './detect-dialect.ts';

interface CsvSource {
  path: string;
  encoding: TextEncoding;
  dialect: DetectedDialect;
}

/** A row of the file; `sheetRow` is its number in a spreadsheet, from 1. */
interface CsvRecord {
  cells: string[];
  sheetRow: number;
  line: number;
}

export async function openCsv(
  path: string,
  bytes: number,
  encoding: TextEncoding,
  options: Pick<ListOptions, 'separator' | 'hasHeader'> & { isTabbed: boolean },
): Promise<List> {
  const head = await readHead(path, encoding);
  const dialect = detectDialect(head.text, head.bytesRead === bytes, options);
  const source = { path, encoding, dialect };
  const first = await readFirstRecord(source);
  if (first === undefined) throw unreadable('The list is empty. Expected a header and rows.');
  const hasHeader = options.hasHeader ?? isHeader(first.cells);
  const names = first.cells.map((cell) => wholeText(cell, encoding));
  const { columns, problems } = (hasHeader ? readHeader : nameColumns)(names, first.line);
  const headerRow = hasHeader ? first.sheetRow : 0;
  const format: CsvFormat = {
    kind: 'csv',
    encoding: encoding.encoding,
    hasBom: encoding.hasBom,
    separator: dialect.separator,
    quote: dialect.quote,
    newline: dialect.newline,
    hasHeader,
  };
  return {
    format,
    bytes,
    columns,
    headerRow,
    headerProblems: problems,
    batches: () => readBatches(source, columns, headerRow),
  };
}

async function readHead(path: string, encoding: TextEncoding): Promise<TextChunk> {
  for await (const chunk of readText(path, encoding)) return chunk;
  return { text: '', bytesRead: 0 };
}

/** The first row with a filled cell. */
async function readFirstRecord(source: CsvSource): Promise<CsvRecord | undefined> {
  let first: CsvRecord | undefined;
  const records = readRecords(source, (record) => {
    if (first === undefined && record.cells.some((cell) => cell.trim() !== '')) first = record;
  });
  for await (const _ of records) if (first !== undefined) break;
  return first;
}

async function* readBatches(
  source: CsvSource,
  columns: readonly string[],
  headerRow: number,
): AsyncGenerator<ListBatch, void, void> {
  const { strayEncoding } = source.encoding;
  const collector = new RowCollector(columns, { needsAllCells: true, strayEncoding });
  const records = readRecords(source, ({ cells, sheetRow, line }) => {
    if (sheetRow > headerRow) collector.add(cells, sheetRow - headerRow, line);
  });
  let read = 0;
  for await (const bytesRead of records) {
    read = bytesRead;
    yield* collector.take(bytesRead, false);
  }
  yield* collector.take(read, true);
}

/** Calls `handle` for each row, and yields the number of bytes read after each chunk. */
async function* readRecords(
  { path, encoding, dialect }: CsvSource,
  handle: (record: CsvRecord) => void,
): AsyncGenerator<number, void, void> {
  let sheetRow = 0;
  let parser: CsvParser | undefined;
  let read = 0;
  for await (const { text, bytesRead } of readText(path, encoding)) {
    read = bytesRead;
    // Excel's setting is a line of the file, but not a row of the sheet. It is in the first chunk.
    const skipped = parser === undefined ? text.slice(0, dialect.settingCharacters) : '';
    parser ??= new CsvParser(
      dialect,
      {
        encoding: encoding.encoding,
        line: skipped === '' ? 1 : 2,
        bytes: markBytes(encoding) + encodedBytes(skipped, encoding.encoding),
      },
      (cells, line) => {
        sheetRow += 1;
        handle({ cells, sheetRow, line });
      },
    );
    parser.push(text.slice(skipped.length));
    yield bytesRead;
  }
  parser?.end();
  yield read;
}
