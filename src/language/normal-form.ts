/** The composed normal form of Unicode (NFC), in which texts are drawn, compared and looked up. */

/** A character that NFC may change. All of Latin-1 and most Latin letters stay as they are. */
const changeable = /[\u0300-\uFFFF]/;

/** A text in NFC: é as one character, and Hangul as whole syllables. macOS writes the names of files decomposed. */
export function composed(text: string): string {
  return changeable.test(text) ? text.normalize('NFC') : text;
}

/**
 * The forms of a key in the order of a look-up: composed, as given, decomposed. Tables of earlier versions have keys as
 * their files wrote them. One form for a key that NFC does not change.
 */
export function keyForms(key: string): string[] {
  if (!/[\u00C0-\uFFFF]/.test(key)) return [key];
  return [...new Set([composed(key), key, key.normalize('NFD')])];
}
