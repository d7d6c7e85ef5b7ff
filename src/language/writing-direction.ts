/** Finds the direction in which a language is written. */

/** Scripts that are written from right to left, by their ISO 15924 codes. */
const rightToLeftScripts: ReadonlySet<string | undefined> = new Set([
  'Adlm',
  'Arab',
  'Hebr',
  'Mand',
  'Nkoo',
  'Rohg',
  'Samr',
  'Syrc',
  'Thaa',
]);

/**
 * Cache of results by language, because finding a script takes 20 µs. Links choose languages, so the cache is bounded.
 */
const known = new Map<string, boolean>();
const knownMax = 100;

/** Whether a language is written from right to left. */
export function isRightToLeft(lang: string): boolean {
  let isMirrored = known.get(lang);
  if (isMirrored === undefined) {
    if (known.size >= knownMax) known.clear();
    isMirrored = findDirection(lang);
    known.set(lang, isMirrored);
  }
  return isMirrored;
}

function findDirection(lang: string): boolean {
  try {
    return rightToLeftScripts.has(new Intl.Locale(lang).maximize().script);
  } catch {
    // The document's pattern admits tags that the runtime refuses, such as en-x.
    return false;
  }
}
