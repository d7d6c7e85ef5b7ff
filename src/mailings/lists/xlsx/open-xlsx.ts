/** Opens an XLSX as a list. */
import type { List, ListOptions } from '../list.ts';
import { ReadingSteps } from '../workbook/markup-bounds.ts';
import { openSheet, type SheetRowHandler } from '../workbook/open-sheet.ts';
import { readPart } from '../workbook/read-part.ts';
import { WorkbookFile } from '../workbook/workbook-file.ts';
import { readWorkbook, type Workbook } from './read-workbook.ts';
import { SheetReader } from './sheet-reader.ts';

export async function openXlsx(
  path: string,
  bytes: number,
  options: Pick<ListOptions, 'sheet' | 'hasHeader'>,
): Promise<List> {
  const steps = new ReadingSteps('XLSX', bytes);
  const file = await WorkbookFile.open(path, steps);
  try {
    const workbook = await readWorkbook(file);
    return await openSheet(
      {
        kind: 'xlsx',
        sheets: workbook.sheets.map(({ name }) => ({ name })),
        bytes,
        open: () => WorkbookFile.open(path, new ReadingSteps('XLSX', bytes, steps.steps)),
        readRows: (opened, sheet, numberColumns, handle) =>
          readRows(opened, { bytes, workbook, sheet, numberColumns }, handle),
      },
      file,
      options,
    );
  } finally {
    file.close();
  }
}

interface ReadSheet {
  bytes: number;
  workbook: Workbook;
  sheet: number;
  numberColumns: Set<number>;
}

/** Yields the share of the part read so far, scaled to the file's bytes. */
async function* readRows(
  file: WorkbookFile,
  { bytes, workbook, sheet, numberColumns }: ReadSheet,
  handle: SheetRowHandler,
): AsyncGenerator<number, void, void> {
  const { part = '' } = workbook.sheets[sheet] ?? {};
  const partBytes = Math.max(1, file.bytesOf(part));
  const reader = new SheetReader(workbook, numberColumns, handle);
  for await (const read of readPart(file, part, reader)) {
    yield Math.floor((read / partBytes) * bytes);
  }
}
