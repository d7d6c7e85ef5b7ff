/** Finds letters that were lost or garbled before the list came: `?ukasz`, `JosÃ©`. */

/** Signs of addresses, in which `?` begins a query. */
const address = /:\/\/|www\.|[=&]/i;
/** Nothing but question marks, in place of all letters of a name. */
const onlyMarks = /^\?{2,}(?:[ '’-]\?+)*$/;
/** Inside a word, and before a small letter at its beginning. In a text `Really?Yes` is two words. */
const inText = /\p{L}\?+\p{Ll}|(?<![\p{L}\p{N}?!.,;:)\]"”’»%])\?+\p{Ll}/u;
const inName = /\p{L}\?+\p{L}|(?<![\p{L}\p{N}?!])\?+\p{L}/u;
const atEnd = /\p{L}\?+(?=$|[\s,-])/u;

/** Whether `?` stands in place of letters. A name has no other question mark inside. Linear time. */
export function hasLostLetters(text: string, isName: boolean): boolean {
  if (!text.includes('?') || address.test(text)) return false;
  return onlyMarks.test(text) || (isName ? inName : inText).test(text);
}

/** Whether a word ends in `?`: a lost letter in a column that has others, and else a question. */
export function mayHaveLostLetters(text: string): boolean {
  return text.includes('?') && !address.test(text) && atEnd.test(text);
}

/** The bytes of the characters beyond ASCII in an encoding of one byte a character. */
function bytesByCharacter(label: string): ReadonlyMap<string, number> {
  const decoder = new TextDecoder(label);
  const bytes = Array.from({ length: 128 }, (_, index) => index + 128);
  return new Map(bytes.map((byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
}

const latin = bytesByCharacter('windows-1252');
const cyrillic = bytesByCharacter('windows-1251');
const macintosh = bytesByCharacter('macintosh');

/** A first byte of UTF-8 as one of the encodings shows it, and a character beyond ASCII behind it. */
const suspect = /[\u00c2-\u00f4РСГвАЕЕДЋ√‚ƒ≈∆«»…–—Â][^\u0000-\u007f]/u; // oxlint-disable-line no-control-regex -- all of ASCII

const strict = new TextDecoder('utf-8', { fatal: true });

/** Characters of names and texts. IPA and other rare letters are what chance makes of bytes: `CAFÉ®`. */
const usual =
  /^[\u00a0-\u017f\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u0259\u0386-\u03ce\u0401-\u045f\u0490\u0491\u05d0-\u05ea\u0620-\u064a\u067e\u0686\u0698\u06a9\u06af\u06cc\u0900-\u0dff\u0e01-\u0e5b\u10d0-\u10f0\u1e00-\u1ef9\u2010-\u203a\u20ac\u2116\u2122\u3001-\u30ff\u4e00-\u9fff\uac00-\ud7a3\ufeff\u{1f300}-\u{1faff}]$/u;

/** Letters of code pages of DOS and the Mac that Windows-1252 shows as signs, or as capitals in a small word. */
const signInWord = /\p{Ll}[‚„”¤¡¢£†‡ˆ‰˜Ÿ\u0080-\u009f]\p{Ll}|\p{Ll}Ž(?=$|[\s,-])/u;

/** A pair that no language writes, for texts whose other bytes were lost. */
const clearPair = /(?<!\p{Lu})(?:Ã[\u0080-\u00bf‚ƒ„…†‡ˆ‰‹“”•–—™›œŸž]|â€[\u0080-\u009d™œ“”¦¢])/u;

/**
 * Whether a text is UTF-8 that was read as Windows-1252, Windows-1251 or Mac OS Roman, or letters of DOS or the Mac
 * that were read as Windows-1252. `Ângela` and `SÃO PAULO` are not: their letters are no bytes of UTF-8. Linear time.
 */
export function hasGarbledLetters(text: string): boolean {
  if (signInWord.test(text)) return true;
  if (!suspect.test(text)) return false;
  return (
    clearPair.test(text) ||
    isRead(text, latin, 1) ||
    isRead(text, cyrillic, 2) ||
    isRead(text, macintosh, /[√‚]/.test(text) ? 1 : 2)
  );
}

/** Whether all characters beyond ASCII are bytes of UTF-8 in the encoding, and spell at least `lettersMin` usual ones. */
function isRead(text: string, bytesOf: ReadonlyMap<string, number>, lettersMin: number): boolean {
  const bytes: number[] = [];
  for (const character of text) {
    const byte = character <= '\u007f' ? character.charCodeAt(0) : bytesOf.get(character);
    if (byte === undefined) return false;
    bytes.push(byte);
  }
  let read: string;
  try {
    read = strict.decode(Uint8Array.from(bytes));
  } catch {
    return false;
  }
  const found = [...read.matchAll(/[^\u0000-\u007f]/gu)]; // oxlint-disable-line no-control-regex -- all of ASCII
  return (
    found.length >= lettersMin &&
    found.every(
      ([character], index) => usual.test(character) && !isSignOfCapitals(read, found[index]),
    )
  );
}

/** Whether a character follows capitals and ends the word, as the sign of `CAFÉ™` and `«IRMÃ»` does. */
function isSignOfCapitals(read: string, match: RegExpExecArray | undefined): boolean {
  if (match === undefined || /^\p{Lu}$/u.test(match[0])) return false;
  const end = match.index + match[0].length;
  return /\p{Lu}{2}$/u.test(read.slice(0, match.index)) && !/^\p{L}/u.test(read.slice(end));
}
