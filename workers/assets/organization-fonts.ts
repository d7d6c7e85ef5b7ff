/** The fonts of an organization: found in a job, and registered with the paint engine while they are needed. */
import type { FontAxis, OwnFontFamily, OwnFontFile } from '#wire/render-job.ts';
import { hash } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';
import { FontLibrary } from 'skia-canvas';

/** By their aliases. */
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

// Registration of these fonts with the paint engine of this thread, within a bound of bytes.

/**
 * Bytes of own fonts that a thread holds: the engine reads files whole. A template names at most half as much, so
 * that there is always room for one job.
 */
const ownFontBytesMax = 128 * 1024 * 1024;
/** Families, each with some outlines that the engine keeps. */
const ownFamiliesMax = 500;

let lentBytes = 0;
let generation = 0;

/**
 * Makes families ready to be drawn with and returns their aliases by their names in lower case. A family
 * whose files the engine cannot read is left out: it counts as not installed. Throws a `FontFileError` for a file that
 * is missing or damaged.
 */
export function lendOwnFonts(
  families: readonly OwnFontFamily[] | undefined,
): ReadonlyMap<string, string> {
  if (families === undefined || families.length === 0) return noOwnFamilies;
  const fresh = families.filter(({ alias }) => !isKnownFamily(alias));
  const freshBytes = fresh.reduce((bytes, family) => bytes + sizeOf(family), 0);
  const isFull = lentBytes + freshBytes > ownFontBytesMax || knownFamilies() >= ownFamiliesMax;
  // The engine forgets all of them or none.
  if (isFull && fresh.length > 0) forgetAll();
  const aliases = new Map<string, string>();
  for (const family of families) {
    if (lend(family)) aliases.set(family.name.toLowerCase(), family.alias);
  }
  return aliases;
}

/** Rises when the engine has forgotten its own families: whatever holds one of its contexts must let go of it. */
export function ownFontGeneration(): number {
  return generation;
}

function lend(family: OwnFontFamily): boolean {
  if (isKnownFamily(family.alias)) return true;
  for (const file of family.files) checkOwnFontFile(file);
  try {
    FontLibrary.use(
      family.alias,
      family.files.map(({ path }) => path),
    );
  } catch {
    return false;
  }
  knowFamily(family);
  lentBytes += sizeOf(family);
  return true;
}

function forgetAll(): void {
  FontLibrary.reset();
  forgetFamilies();
  lentBytes = 0;
  generation += 1;
}

function sizeOf({ files }: OwnFontFamily): number {
  return files.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
}
