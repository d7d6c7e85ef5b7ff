/** Checks the laid-out file of an organization's font before anything reads letters from it. */
import { hash } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';
import type { OwnFontFile } from '#wire/render-job.ts';

/** The file is missing or damaged: whoever sent the job has its bytes, and lays it out again. */
export class FontFileError extends Error {
  override name = 'FontFileError';
}

/**
 * Reads the whole file, once for each family and thread. Throws a `FontFileError` unless it is the one that was stored:
 * a font that ends early still draws, in other letters.
 */
export function checkOwnFontFile({ path, digest }: OwnFontFile): void {
  let found: string;
  try {
    found = hash('sha256', readFileSync(path));
  } catch (cause) {
    throw new FontFileError(`The font file ${path} cannot be read.`, { cause });
  }
  if (found !== digest) throw new FontFileError(`The font file ${path} is damaged.`);
  try {
    // The least recently used file is removed first, and file systems seldom note that a file was read.
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // Of another user: it counts as used when it was written.
  }
}
