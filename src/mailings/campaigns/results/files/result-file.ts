/** A file that collects the files of rows: a ZIP, or a PDF with a page for each row. */
import { join } from 'node:path';

/** The table of rows with problems. */
export const problemsName = 'problems.csv';

/** The paths of the files of a result. */
export function resultPaths(folder: string): {
  zip: string;
  pdf: string;
  index: string;
  problems: string;
} {
  return {
    zip: join(folder, 'files.zip'),
    pdf: join(folder, 'files.pdf'),
    index: join(folder, 'index'),
    problems: join(folder, problemsName),
  };
}

/** Upper bound of the pages of one PDF: viewers and printers take long to open more. */
export const pdfPagesMax = 10_000;

/** Width and height of a page in units, and the points of one unit. */
export interface PageSize {
  widthUnits: number;
  heightUnits: number;
  pointsPerUnit: number;
}

export interface ResultFile {
  readonly bytes: number;
  /** The state from which `start` continues after a kill, as JSON; valid after `sync`. */
  readonly state: unknown;
  /** Truncates the file to a state; without one, begins a new file. */
  start(state?: unknown): Promise<void>;
  add(name: string, file: Uint8Array, size: PageSize): Promise<void>;
  /** Resolves when all is on the disk. */
  sync(): Promise<void>;
  /** Writes the end of the file. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
