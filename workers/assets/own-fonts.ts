/** The font families of organizations' own that this thread knows: their files, and their axes. */
import type { FontAxis, OwnFontFamily, OwnFontFile } from '#wire/render-job.ts';
import { hash } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';

/** By their aliases; `lend-fonts.ts` fills it. */
const known = new Map<string, OwnFontFamily>();

/** No own families. */
export const noOwnFamilies: ReadonlyMap<string, string> = new Map();

/** Makes a family known to whoever looks for files. */
export function knowFamily(family: OwnFontFamily): void {
  known.set(family.alias, family);
}

export function isKnownFamily(alias: string): boolean {
  return known.has(alias);
}

/** Families that are known. */
export function knownFamilies(): number {
  return known.size;
}

export function forgetFamilies(): void {
  known.clear();
}

/** The file of an own family whose weight is nearest, in its italic form when there is one and it is wanted. */
export function findOwnFontFile(
  alias: string,
  weight: number,
  italic: boolean,
): OwnFontFile | undefined {
  const files = known.get(alias)?.files ?? [];
  const styled = files.filter((file) => file.italic === italic);
  const candidates = styled.length > 0 ? styled : files;
  const distance = (file: OwnFontFile): number => Math.abs(file.weight - weight);
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** The axes that all files of an own family have, and its name for people; undefined for any other family. */
export function ownFamilyForm(
  alias: string,
): { name: string; axes: Readonly<Record<string, FontAxis>> } | undefined {
  const family = known.get(alias);
  if (family === undefined) return undefined;
  const [first, ...others] = family.files.map(({ axes }) => axes);
  const shared = Object.entries(first ?? {}).filter(([tag]) =>
    others.every((axes) => Object.hasOwn(axes, tag)),
  );
  return { name: family.name, axes: Object.fromEntries(shared) };
}

// Checks the laid-out file of an organization's font before anything reads letters from it.

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
