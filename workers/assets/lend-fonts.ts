/** Lends the paint engine of this thread the font families that an organization brought itself, for as long as there is room. */
import { FontLibrary } from 'skia-canvas';
import type { OwnFontFamily } from '#wire/render-job.ts';
import {
  forgetFamilies,
  isKnownFamily,
  knowFamily,
  knownFamilies,
  noOwnFamilies,
} from './own-fonts.ts';
import { checkOwnFontFile } from './own-fonts.ts';

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
