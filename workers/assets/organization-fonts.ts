/** Finds the organization's fonts of a job, and registers them with the paint engine. */
import type { FontAxis, OrganizationFontFile } from '#wire/font-facts.ts';
import type { OrganizationFontFamily } from '#wire/render-job.ts';
import { hash } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';
import { FontLibrary } from 'skia-canvas';

/** Registered families by their aliases. */
const known = new Map<string, OrganizationFontFamily>();

export const noOrganizationFamilies: ReadonlyMap<string, string> = new Map();

export function addFamily(family: OrganizationFontFamily): void {
  known.set(family.alias, family);
}

export function isRegisteredFamily(alias: string): boolean {
  return known.has(alias);
}

export function registeredFamilyCount(): number {
  return known.size;
}

export function forgetFamilies(): void {
  known.clear();
}

/** Returns the file of an organization's family with the nearest weight, italic if requested and available. */
export function findOrganizationFontFile(
  alias: string,
  weight: number,
  italic: boolean,
): OrganizationFontFile | undefined {
  const files = known.get(alias)?.files ?? [];
  const styled = files.filter((file) => file.italic === italic);
  const candidates = styled.length > 0 ? styled : files;
  const distance = (file: OrganizationFontFile): number => Math.abs(file.weight - weight);
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0];
}

/**
 * Returns the axes that all files of an organization's family share, and its display name; undefined for any other
 * family.
 */
export function organizationFamilyForm(
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

// Checks the file of an organization's font before anything reads glyphs from it.

/** A font file is missing or damaged. The process that sent the job has the file's bytes, and writes it again. */
export class FontFileError extends Error {
  override name = 'FontFileError';
}

/**
 * Reads the whole file. Throws a `FontFileError` for a missing file and for one with another digest: the engine draws a
 * truncated font with other glyphs.
 */
export function checkOrganizationFontFile({ path, digest }: OrganizationFontFile): void {
  let found: string;
  try {
    found = hash('sha256', readFileSync(path));
  } catch (cause) {
    throw new FontFileError(`The font file ${path} cannot be read.`, { cause });
  }
  if (found !== digest) throw new FontFileError(`The font file ${path} is damaged.`);
  try {
    // The least recently used file is removed first, and most file systems do not record that a file was read.
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // The time cannot be set for a file of another user, which counts as used when it was written.
  }
}

// Registration of these fonts with the paint engine of this thread, within a bound of bytes.

/**
 * Upper bound of the bytes of organizations' fonts in a thread; the engine reads whole files. The fonts of a template
 * have at most half of this size, so that the fonts of one job always fit.
 */
const fontBytesMax = 128 * 1024 * 1024;
/** Upper bound of the families of organizations in a thread. The engine keeps some outlines of each. */
const familiesMax = 500;

let registeredBytes = 0;
let generation = 0;

/**
 * Registers families and returns their aliases by their names in lower case. A family whose files the engine cannot
 * read is left out and counts as not installed. Throws a `FontFileError` for a file that is missing or damaged.
 */
export function registerOrganizationFonts(
  families: readonly OrganizationFontFamily[] | undefined,
): ReadonlyMap<string, string> {
  if (families === undefined || families.length === 0) return noOrganizationFamilies;
  const fresh = families.filter(({ alias }) => !isRegisteredFamily(alias));
  const freshBytes = fresh.reduce((bytes, family) => bytes + sizeOf(family), 0);
  const isFull =
    registeredBytes + freshBytes > fontBytesMax || registeredFamilyCount() >= familiesMax;
  // The engine can remove only all registered families together.
  if (isFull && fresh.length > 0) forgetAll();
  const aliases = new Map<string, string>();
  for (const family of families) {
    if (register(family)) aliases.set(family.name.toLowerCase(), family.alias);
  }
  return aliases;
}

/** Increases when the engine removes the families: objects that hold a context of the engine must then release it. */
export function fontGeneration(): number {
  return generation;
}

function register(family: OrganizationFontFamily): boolean {
  if (isRegisteredFamily(family.alias)) return true;
  for (const file of family.files) checkOrganizationFontFile(file);
  try {
    FontLibrary.use(
      family.alias,
      family.files.map(({ path }) => path),
    );
  } catch {
    return false;
  }
  addFamily(family);
  registeredBytes += sizeOf(family);
  return true;
}

function forgetAll(): void {
  FontLibrary.reset();
  forgetFamilies();
  registeredBytes = 0;
  generation += 1;
}

function sizeOf({ files }: OrganizationFontFamily): number {
  return files.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
}
