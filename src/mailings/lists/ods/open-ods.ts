/** Opens an ODS, also a flat one (`.fods`), as a list. */
import { formatCount, tooLarge, unreadable, type List, type ListOptions } from '../list.ts';
import { workbookLimits } from '../list-limits.ts';
import { ReadingSteps } from '../workbook/markup-bounds.ts';
import { openSheet, type SheetRowHandler } from '../workbook/open-sheet.ts';
import { readDescription, readPart } from '../workbook/read-part.ts';
import { WorkbookFile } from '../workbook/workbook-file.ts';
import { CellStyles } from './cell-styles.ts';
import { contentPart, FlatFile } from './flat-file.ts';
import { TableReader, type TableRow } from './table-reader.ts';

type OdsFile = WorkbookFile | FlatFile;

/** A visible table of a spreadsheet. `index` counts hidden ones, too. */
interface Table {
  name: string;
  index: number;
  isFilled: boolean;
}

/** Rows of a repeated row that are passed on at a time. */
const repeatedRowsMax = 500;

/** UTF-16 units of a repeated row that count as a step. */
const stepCharacters = 16;

/**
 * All tables are in one part. It is read once to know them, up to the first filled row of each, and once for the rows.
 * Each reading may take the steps of a workbook.
 */
export async function openOds(
  path: string,
  bytes: number,
  { isFlat, ...options }: Pick<ListOptions, 'sheet' | 'hasHeader'> & { isFlat: boolean },
): Promise<List> {
  const open = async (): Promise<OdsFile> => {
    const steps = new ReadingSteps('ODS', bytes);
    return isFlat ? new FlatFile(path, bytes, steps) : WorkbookFile.open(path, steps);
  };
  const file = await open();
  try {
    const styles = new CellStyles();
    const tables = await readTables(file, styles);
    const readSheet = (
      opened: OdsFile,
      sheet: number,
      numberColumns: Set<number>,
      handle: SheetRowHandler,
    ): AsyncGenerator<number, void, void> =>
      readRows(opened, { bytes, styles, table: tables[sheet]?.index ?? 0, numberColumns }, handle);
    const workbook = { kind: 'ods', sheets: tables, bytes, open, readRows: readSheet } as const;
    return await openSheet(workbook, file, options);
  } finally {
    file.close();
  }
}

/** Reads the visible tables, and adds the formats of their cells to `styles`. */
async function readTables(file: OdsFile, styles: CellStyles): Promise<Table[]> {
  await refuseEncrypted(file);
  if (file.has('styles.xml')) await readDescription(file, 'styles.xml', styles);
  const tables: Table[] = [];
  let count = 0;
  const reader = new TableReader(styles, {
    openTable(name, style) {
      count += 1;
      if (styles.isHidden(style)) return false;
      addTable(tables, { name, index: count - 1, isFilled: false });
      return true;
    },
    row({ cells }) {
      const table = tables.at(-1);
      const isFilled = cells.some((cell) => cell.trim() !== '');
      if (table !== undefined && isFilled) table.isFilled = true;
      return !isFilled;
    },
    numberColumns: new Set(),
  });
  // The styles come first.
  let isBody = false;
  const pieces = readPart(file, contentPart, {
    open(name, attributes) {
      if (name === 'spreadsheet') isBody = true;
      if (!isBody) styles.open(name, attributes);
      reader.open(name, attributes);
    },
    close(name) {
      if (!isBody) styles.close(name);
      reader.close(name);
    },
    text(text) {
      if (isBody) reader.text(text);
      else styles.text(text);
    },
  });
  for await (const _ of pieces);
  if (isBody) return tables;
  throw unreadable(
    'The list is an OpenDocument file without a spreadsheet. Expected .ods or .fods: copy the table into a spreadsheet program.',
  );
}

function addTable(tables: Table[], table: Table): void {
  const { nameCharactersMax, sheetsMax } = workbookLimits;
  if (table.name.length > nameCharactersMax) {
    throw tooLarge(
      `A sheet of the ODS has a name of ${formatCount(table.name.length)} characters, at most ${nameCharactersMax}.`,
    );
  }
  tables.push(table);
  if (tables.length > sheetsMax) {
    throw tooLarge(`The ODS has more than ${formatCount(sheetsMax)} visible sheets.`);
  }
}

async function refuseEncrypted(file: OdsFile): Promise<void> {
  const manifest = 'META-INF/manifest.xml';
  if (!file.has(manifest)) return;
  await readDescription(file, manifest, {
    open(name) {
      if (name !== 'encryption-data') return;
      throw unreadable('The ODS has a password. Save it without one.');
    },
  });
}

interface ReadTable {
  bytes: number;
  styles: CellStyles;
  /** Its index among all tables. */
  table: number;
  numberColumns: Set<number>;
}

/** Yields the share of the part read so far, scaled to the file's bytes. */
async function* readRows(
  file: OdsFile,
  { bytes, styles, table, numberColumns }: ReadTable,
  handle: SheetRowHandler,
): AsyncGenerator<number, void, void> {
  const partBytes = Math.max(1, file.bytesOf(contentPart));
  let pending: TableRow[] = [];
  let count = 0;
  let isRead = false;
  const reader = new TableReader(styles, {
    openTable() {
      count += 1;
      return count - 1 === table;
    },
    row: (row) => pending.push(row) > 0,
    closeTable() {
      isRead = true;
    },
    numberColumns,
  });
  for await (const read of readPart(file, contentPart, reader)) {
    const bytesRead = Math.floor((read / partBytes) * bytes);
    for (const row of pending) {
      for (const _ of repeatRow(row, file.steps, handle)) yield bytesRead;
    }
    pending = [];
    yield bytesRead;
    if (isRead) return;
  }
}

/** Passes a row on as often as the sheet has it. Yields after some of many. */
function* repeatRow(
  { cells, number, count, problem }: TableRow,
  steps: ReadingSteps,
  handle: SheetRowHandler,
): Generator<void, void, void> {
  if (count === 1) {
    handle(cells, number, problem);
    return;
  }
  let characters = 0;
  for (const cell of cells) characters += cell.length;
  for (let index = 0; index < count; index += 1) {
    // A few bytes of the file may stand for any number of rows.
    steps.add(1 + cells.length + characters / stepCharacters);
    handle([...cells], number + index, problem);
    if (index % repeatedRowsMax === repeatedRowsMax - 1) yield;
  }
}
