/** Opens an XLSX: chooses its sheet, finds its header, and reads its rows. */
import { isHeader, nameColumns, readHeader } from '../header.ts';
import { unreadable, type List, type ListBatch, type ListOptions } from '../list.ts';
import { RowCollector } from '../row-collector.ts';
import { ReadingSteps } from './markup-bounds.ts';
import { readPart } from './read-part.ts';
import { readWorkbook, type Workbook } from './read-workbook.ts';
import { SheetReader, type SheetProblem, type SheetRowHandler } from './sheet-reader.ts';
import { WorkbookFile } from './workbook-file.ts';

interface Sheet {
  path: string;
  bytes: number;
  workbook: Workbook;
  part: string;
  /** Filled while rows are read. */
  numberColumns: Set<number>;
}

export async function openXlsx(
  path: string,
  bytes: number,
  options: Pick<ListOptions, 'sheet' | 'hasHeader'>,
): Promise<List> {
  const steps = new ReadingSteps(bytes);
  const file = await WorkbookFile.open(path, steps);
  try {
    const workbook = await readWorkbook(file);
    const { name, part } = chooseSheet(workbook, options.sheet);
    const numberColumns = new Set<number>();
    const sheet: Sheet = { path, bytes, workbook, part, numberColumns };
    const first = await readFirstRow(file, sheet);
    if (first === undefined) throw unreadable(`The sheet "${name}" is empty.`);
    const hasHeader = options.hasHeader ?? isHeader(first.cells);
    const { columns, problems } = (hasHeader ? readHeader : nameColumns)(first.cells, first.number);
    const headerRow = hasHeader ? first.number : 0;
    return {
      format: {
        kind: 'xlsx',
        sheet: name,
        sheets: workbook.sheets.map((each) => each.name),
        hasHeader,
      },
      bytes,
      columns,
      headerRow,
      headerProblems: problems,
      numberColumns,
      batches: () => readBatches(sheet, columns, headerRow, new ReadingSteps(bytes, steps.steps)),
    };
  } finally {
    file.close();
  }
}

function chooseSheet({ sheets }: Workbook, name: string | undefined): Workbook['sheets'][number] {
  const sheet = name === undefined ? sheets[0] : sheets.find((each) => each.name === name);
  if (sheet !== undefined) return sheet;
  const names = sheets
    .slice(0, 20)
    .map((each) => `"${each.name}"`)
    .join(', ');
  throw unreadable(
    `The XLSX has no visible sheet "${name?.slice(0, 100)}". Expected one of ${names}.`,
  );
}

/** The first row with a filled cell. */
async function readFirstRow(
  file: WorkbookFile,
  sheet: Sheet,
): Promise<{ cells: string[]; number: number } | undefined> {
  let first: { cells: string[]; number: number } | undefined;
  const rows = readRows(file, sheet, (cells, number) => {
    if (first === undefined && cells.some((cell) => cell.trim() !== '')) first = { cells, number };
  });
  for await (const _ of rows) if (first !== undefined) break;
  return first;
}

async function* readBatches(
  sheet: Sheet,
  columns: readonly string[],
  headerRow: number,
  steps: ReadingSteps,
): AsyncGenerator<ListBatch, void, void> {
  const collector = new RowCollector(columns, { needsAllCells: false });
  const file = await WorkbookFile.open(sheet.path, steps);
  try {
    const rows = readRows(file, sheet, (cells, number, problem) => {
      if (number <= headerRow) return;
      collector.add(cells, number - headerRow, number, describe(problem, columns));
    });
    for await (const bytesRead of rows) yield* collector.take(bytesRead, false);
    yield* collector.take(sheet.bytes, true);
  } finally {
    file.close();
  }
}

function describe(
  problem: SheetProblem | undefined,
  columns: readonly string[],
): Parameters<RowCollector['add']>[3] {
  if (problem === undefined) return undefined;
  const column = columns[problem.index];
  if (column === undefined) return undefined;
  const message = `Column "${column}" has a formula without a result. Open the file in a spreadsheet program and save it again.`;
  return { cause: problem.cause, column, message };
}

/**
 * Calls `handle` for each row. Yields after each piece, with the share of the part read so far, scaled to the file's
 * bytes.
 */
async function* readRows(
  file: WorkbookFile,
  { bytes, workbook, part, numberColumns }: Sheet,
  handle: SheetRowHandler,
): AsyncGenerator<number, void, void> {
  const partBytes = Math.max(1, file.bytesOf(part));
  const reader = new SheetReader(workbook, numberColumns, handle);
  for await (const read of readPart(file, part, reader)) {
    yield Math.floor((read / partBytes) * bytes);
  }
}
