/** A file that takes the files of rows: a ZIP, or a PDF with a page for each. */
import { join } from 'node:path';

/** The table of rows that could not be drawn as they should. */
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

/** Pages of one PDF: readers and printers take long to open more. */
export const pdfPagesMax = 10_000;

/** The sides of a page, and the part of a point that one of its units is. */
export interface PageSize {
  widthUnits: number;
  heightUnits: number;
  pointsPerUnit: number;
}

export interface ResultFile {
  readonly bytes: number;
  /** What `start` needs to continue after a kill, as JSON; valid after `sync`. */
  readonly state: unknown;
  /** Cuts the file to a state; without one, begins it. */
  start(state?: unknown): Promise<void>;
  add(name: string, file: Uint8Array, size: PageSize): Promise<void>;
  /** Resolves when all is on the disk. */
  sync(): Promise<void>;
  /** Writes the end of the file. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
