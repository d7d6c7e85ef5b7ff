/** What a program is given to write a list. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './rows.ts';

export interface Job {
  program: string;
  /** Where the list is written. */
  path: string;
  /** The encoding as the program calls it. */
  name: string;
  separator: string;
  quoteAll: boolean;
  /** Whether lines end with CRLF, where the program lets one choose. */
  isDos: boolean;
  columns: string[];
  rows: Row[];
}

/** Programs write into it, under other accounts too. */
export const workFolder = mkdtempSync(join(tmpdir(), 'platen-programs-'));

/** Runs a program and returns what it prints. */
export function run(command: string, parameters: readonly string[], input = ''): string {
  return execFileSync(command, parameters, {
    input,
    cwd: workFolder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

/** The first version number in what a program prints. */
export function versionOf(command: string, ...parameters: string[]): string {
  const printed = run('sh', ['-c', `${command} ${parameters.join(' ')} 2>&1`]);
  return /\d+(?:\.\d+)+/.exec(printed)?.[0] ?? printed.trim();
}

/** Writes jobs for a program that reads them. */
export function jobFile(jobs: readonly Job[], index: number): string {
  const path = join(workFolder, `jobs-${index}.json`);
  writeFileSync(path, JSON.stringify(jobs));
  return path;
}

/** CSV as any program reads it, to give rows to a spreadsheet. */
export function plainCsv({ columns, rows }: Job): string {
  const quote = (cell: string | number): string =>
    typeof cell === 'number' ? String(cell) : `"${cell.replaceAll('"', '""')}"`;
  return [columns, ...rows].map((row) => `${row.map(quote).join(',')}\n`).join('');
}
