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

/** Blocks of characters of names and texts. IPA and other rare letters are what chance makes of bytes: `CAFÉ®`. */
const usualBlocks: readonly (readonly [first: number, last: number])[] = [
  // Latin, with ơ and ư of Vietnamese, ș and ț of Romanian, ə of Azerbaijani
  [0xa0, 0x17f],
  [0x1a0, 0x1a1],
  [0x1af, 0x1b0],
  [0x218, 0x21b],
  [0x259, 0x259],
  [0x1e00, 0x1ef9],
  // Greek, Cyrillic, Hebrew, Arabic, and the scripts of India, Thailand and Georgia
  [0x386, 0x3ce],
  [0x401, 0x45f],
  [0x490, 0x491],
  [0x5d0, 0x5ea],
  [0x620, 0x6cc],
  [0x900, 0xe5b],
  [0x10d0, 0x10f0],
  // Punctuation and signs, and the mark of UTF-8
  [0x2010, 0x203a],
  [0x20ac, 0x20ac],
  [0x2116, 0x2122],
  [0xfeff, 0xfeff],
  // Chinese, Japanese, Korean, and emoji
  [0x3001, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0x1f300, 0x1faff],
];

function isUsual(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return usualBlocks.some(([first, last]) => code >= first && code <= last);
}

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
  const read = decodeUtf8(bytes);
  if (read === undefined) return false;
  const found = [...read.matchAll(/[^\u0000-\u007f]/gu)]; // oxlint-disable-line no-control-regex -- all of ASCII
  return (
    found.length >= lettersMin &&
    found.every((match) => isUsual(match[0]) && !isSignOfCapitals(read, match))
  );
}

/** The text of bytes in UTF-8; undefined for other bytes. `TextDecoder` throws for these, which takes 50 times as long. */
function decodeUtf8(bytes: readonly number[]): string | undefined {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const rest = bytes.slice(at + 1, at + length);
    if (length === 0 || first > 0xf4 || rest.length < length - 1) return undefined;
    if (rest.some((byte) => byte < 0x80 || byte > 0xbf)) return undefined;
    const lead = length === 1 ? first : first & (0x7f >> length);
    const code = rest.reduce((sum, byte) => sum * 64 + (byte & 0x3f), lead);
    if (code > 0x10ffff) return undefined;
    text += String.fromCodePoint(code);
    at += length;
  }
  return text;
}

/** Whether a character follows capitals and ends the word, as the sign of `CAFÉ™` and `«IRMÃ»` does. */
function isSignOfCapitals(read: string, match: RegExpExecArray): boolean {
  if (/^\p{Lu}$/u.test(match[0])) return false;
  const end = match.index + match[0].length;
  return /\p{Lu}{2}$/u.test(read.slice(0, match.index)) && !/^\p{L}/u.test(read.slice(end));
}
