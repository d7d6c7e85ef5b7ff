/** Opens one sheet of a workbook as a list: chooses the sheet, finds its header, and reads its rows. */
import { isHeader, nameColumns, readHeader } from '../header.ts';
import {
  unreadable,
  type List,
  type ListBatch,
  type ListFormat,
  type ListOptions,
  type RowProblem,
  type WorkbookFormat,
} from '../list.ts';
import { RowCollector } from '../row-collector.ts';

/** Receives a row with cells up to the last filled one. `number` is the row number at the edge of the sheet. */
export type SheetRowHandler = (cells: string[], number: number, problem?: SheetProblem) => void;

/** A formula that was never calculated, or that failed. `index` is the index of its column, from 0. */
export interface SheetProblem {
  cause: RowProblem['cause'] & `formula-${string}`;
  index: number;
  /** The error that the cell shows. */
  error?: string;
}

/** A workbook whose description is in memory. `File` is its open file. */
export interface Workbook<File> {
  kind: WorkbookFormat['kind'];
  /** The visible sheets in the order of their tabs. `isFilled` is undefined if only their rows tell. */
  sheets: readonly { name: string; isFilled?: boolean }[];
  bytes: number;
  /** Opens the file for one reading of a sheet. */
  open: () => Promise<File>;
  /**
   * Calls `handle` for each row of the sheet with this index. Yields after each piece, with the bytes of the file read so
   * far. `numberColumns` gets the indexes of columns with numbers.
   */
  readRows: (
    file: File,
    sheet: number,
    numberColumns: Set<number>,
    handle: SheetRowHandler,
  ) => AsyncGenerator<number, void, void>;
}

/** Opens the named sheet, or the first one with a filled cell. The caller closes `file`. */
export async function openSheet<File extends { close: () => void }>(
  workbook: Workbook<File>,
  file: File,
  options: Pick<ListOptions, 'sheet' | 'hasHeader'>,
): Promise<List> {
  const { kind, sheets, bytes } = workbook;
  const { index, first } = await chooseSheet(workbook, file, options.sheet);
  const isDoubted = options.sheet === undefined && (await hasOther(workbook, file, index));
  const hasHeader = options.hasHeader ?? isHeader(first.cells);
  const { columns, problems } = (hasHeader ? readHeader : nameColumns)(first.cells, first.number);
  const headerRow = hasHeader ? first.number : 0;
  const numberColumns = new Set<number>();
  const names = sheets.map(({ name }) => name);
  return {
    format: {
      kind,
      sheet: names[index] ?? '',
      sheets: names,
      hasHeader,
      ...(isDoubted && { isSheetDoubted: true }),
    },
    bytes,
    columns,
    headerRow,
    headerProblems: problems,
    numberColumns,
    batches: () => readBatches(workbook, { index, columns, headerRow, numberColumns }),
  };
}

/** Throws for a list whose sheet nobody has chosen, where its workbook has several with rows. */
export function requireSheet(format: ListFormat): void {
  if (!('isSheetDoubted' in format)) return;
  const { kind, sheets } = format;
  throw unreadable(
    `The ${kind.toUpperCase()} has several sheets with rows, and none is chosen. Name one by "sheet", or by --sheet in a command: ${quoteNames(sheets)}.`,
  );
}

interface FirstRow {
  cells: string[];
  number: number;
}

async function chooseSheet<File>(
  workbook: Workbook<File>,
  file: File,
  name: string | undefined,
): Promise<{ index: number; first: FirstRow }> {
  const { kind, sheets } = workbook;
  for (const [index, sheet] of sheets.entries()) {
    if (name === undefined ? sheet.isFilled === false : sheet.name !== name) continue;
    const first = await readFirstRow(workbook, file, index);
    if (first !== undefined) return { index, first };
    if (name !== undefined) throw unreadable(`The sheet "${name}" is empty.`);
  }
  if (name === undefined) {
    throw unreadable(
      sheets.length === 0
        ? `The ${kind.toUpperCase()} has no visible sheet.`
        : `The ${sheets.length === 1 ? 'sheet' : 'sheets'} ${quoteNames(sheets.map((each) => each.name))} ${sheets.length === 1 ? 'is' : 'are'} empty.`,
    );
  }
  throw unreadable(
    `The ${kind.toUpperCase()} has no visible sheet "${name.slice(0, 100)}". Expected one of ${quoteNames(sheets.map((each) => each.name))}.`,
  );
}

/** Whether a sheet after the chosen one has a filled cell; those before it have none. */
async function hasOther<File>(
  workbook: Workbook<File>,
  file: File,
  chosen: number,
): Promise<boolean> {
  for (const [index, { isFilled }] of workbook.sheets.entries()) {
    if (index <= chosen) continue;
    if (isFilled ?? (await readFirstRow(workbook, file, index)) !== undefined) return true;
  }
  return false;
}

const shownNamesMax = 20;
const shownErrorMax = 40;

function quoteNames(names: readonly string[]): string {
  const shown = names.slice(0, shownNamesMax).map((name) => `"${name}"`);
  return shown.join(', ') + (names.length > shownNamesMax ? ' …' : '');
}

/** The first row with a filled cell. */
async function readFirstRow<File>(
  workbook: Workbook<File>,
  file: File,
  sheet: number,
): Promise<FirstRow | undefined> {
  let first: FirstRow | undefined;
  const rows = workbook.readRows(file, sheet, new Set(), (cells, number) => {
    if (first === undefined && cells.some((cell) => cell.trim() !== '')) first = { cells, number };
  });
  for await (const _ of rows) if (first !== undefined) break;
  return first;
}

interface ChosenSheet {
  index: number;
  columns: readonly string[];
  headerRow: number;
  /** Filled while rows are read. */
  numberColumns: Set<number>;
}

async function* readBatches<File extends { close: () => void }>(
  workbook: Workbook<File>,
  { index, columns, headerRow, numberColumns }: ChosenSheet,
): AsyncGenerator<ListBatch, void, void> {
  const collector = new RowCollector(columns, { needsAllCells: false });
  const file = await workbook.open();
  try {
    const rows = workbook.readRows(file, index, numberColumns, (cells, number, problem) => {
      if (number <= headerRow) return;
      collector.add(cells, number - headerRow, number, describe(problem, columns));
    });
    for await (const bytesRead of rows) yield* collector.take(bytesRead, false);
    yield* collector.take(workbook.bytes, true);
  } finally {
    file.close();
  }
}

function describe(
  problem: SheetProblem | undefined,
  columns: readonly string[],
): Parameters<RowCollector['add']>[3] {
  const column = problem === undefined ? undefined : columns[problem.index];
  if (problem === undefined || column === undefined) return undefined;
  const message =
    problem.cause === 'formula-error'
      ? `Column "${column}" has the error ${problem.error?.slice(0, shownErrorMax)} of a formula. Correct it in the spreadsheet.`
      : `Column "${column}" has a formula without a result. Open the file in a spreadsheet program and save it again.`;
  return { cause: problem.cause, column, message };
}
