/** Finds letters that were garbled before the list came: `JosÃ©`, `РџС‘С‚СЂ`, `Orl√©ans`, `Bj”rn`. */

/** The bytes of the characters beyond ASCII in an encoding of one byte a character. */
function bytesByCharacter(label: string): ReadonlyMap<string, number> {
  const decoder = new TextDecoder(label);
  const bytes = Array.from({ length: 128 }, (_, index) => index + 128);
  return new Map(bytes.map((byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
}

const latin = bytesByCharacter('windows-1252');
const cyrillic = bytesByCharacter('windows-1251');
const macintosh = bytesByCharacter('macintosh');

/** Two characters beyond ASCII, as the bytes of UTF-8 have them in each encoding. */
const suspect = /[^\u0000-\u007f]{2}/; // oxlint-disable-line no-control-regex -- all of ASCII

/** Blocks of characters of names and texts. IPA and other rare letters are what chance makes of bytes: `CAFÉ®`. */
const usualBlocks: readonly (readonly [first: number, last: number])[] = [
  // Latin, with ơ and ư of Vietnamese, ș and ț of Romanian, ə of Azerbaijani, ɔ and ɛ of Akan
  [0xa0, 0x17f],
  [0x18f, 0x18f],
  [0x1a0, 0x1a1],
  [0x1af, 0x1b0],
  [0x218, 0x21b],
  [0x254, 0x25b],
  [0x1e00, 0x1ef9],
  // Greek, Cyrillic, Armenian, Hebrew, Arabic, Thaana
  [0x386, 0x3ce],
  [0x401, 0x45f],
  [0x490, 0x491],
  [0x531, 0x587],
  [0x5d0, 0x5ea],
  [0x620, 0x6d5],
  [0x780, 0x7b1],
  // India, Sri Lanka, Thailand and Laos, Tibet and Myanmar, Georgia, Ethiopia, Cambodia
  [0x900, 0x109f],
  [0x10d0, 0x10f0],
  [0x1200, 0x137f],
  [0x1780, 0x17ff],
  // Joiners, punctuation and signs, and the mark of UTF-8
  [0x200c, 0x200d],
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

function isUsual(code: number): boolean {
  return usualBlocks.some(([first, last]) => code >= first && code <= last);
}

/** Letters of code pages of DOS that Windows-1252 shows as signs in a word, and É of the Mac at its end. */
const signInWord =
  /\p{L}[‚„”¤¡¢£†‡ˆ‰˜Ÿ\u0080-\u009f]\p{Ll}|\p{Ll}Ž(?=$|[\s,-])|[b-df-hj-np-tv-z]Ž[b-df-hj-np-tv-z]|\p{Ll}‚$/u;

/** A pair that no language writes, for texts whose other bytes were lost. */
const clearPair = /(?<!\p{Lu})(?:Ã[\u0080-\u00bf‚ƒ„…†‡ˆ‰‹“”•–—™›œŸž]|â€[\u0080-\u009d™œ“”¦¢])/u;

/** A letter that a text of garbled letters means. */
interface MeantLetter {
  code: number;
  /** The letters as they stand in the text, from `start` to `end`. */
  written: string;
  start: number;
  end: number;
  /** The two characters before it, as they are meant. */
  before: string;
}

/**
 * Whether a text is UTF-8 that was read as Windows-1252, Windows-1251 or Mac OS Roman, or letters of DOS or the Mac
 * that were read as Windows-1252. `Ângela` and `SÃO PAULO` are not: their letters are no bytes of UTF-8. Linear time.
 */
export function hasGarbledLetters(text: string): boolean {
  if (signInWord.test(text)) return true;
  if (!suspect.test(text)) return false;
  return (
    clearPair.test(text) ||
    isMeant(text, latin, (letters) => letters.length > 0) ||
    isMeant(text, cyrillic, isCyrillicMeant) ||
    isMeant(text, macintosh, isMacMeant)
  );
}

/** Whether all characters beyond ASCII spell usual letters in UTF-8, and `isEnough` of them. */
function isMeant(
  text: string,
  bytesOf: ReadonlyMap<string, number>,
  isEnough: (letters: readonly MeantLetter[], text: string) => boolean,
): boolean {
  const letters = meantLetters(text, bytesOf);
  return (
    letters !== undefined &&
    isEnough(letters, text) &&
    letters.every((letter) => !isSignOfCapitals(letter, text))
  );
}

/** One sequence may be a word of two letters, such as `Ві`, unless Latin letters stand beside it: `KovГЎcs`. */
function isCyrillicMeant(letters: readonly MeantLetter[], text: string): boolean {
  if (letters.length > 1 || letters.some(({ written }) => written.length > 2)) return true;
  const isLatin = letters.every(({ code }) => code < 0x250);
  const besideLatin = letters.some(
    ({ start, end }) =>
      /[A-Za-z]/.test(text.charAt(start - 1)) || /[A-Za-z]/.test(text.charAt(end)),
  );
  return isLatin && besideLatin;
}

/** In French `L’école` has the bytes of an Armenian letter, and other quotation marks and dashes those of rare ones. */
function isMacMeant(letters: readonly MeantLetter[]): boolean {
  if (letters.some(({ code }) => code >= 0x531 && code <= 0x587)) return false;
  return letters.length > 1 || letters.some(({ written }) => /^[√ƒ≈‚]|^...$/.test(written));
}

/** The letters that the bytes of a text spell; undefined at the first that are no UTF-8, or no usual letter. */
function meantLetters(
  text: string,
  bytesOf: ReadonlyMap<string, number>,
): MeantLetter[] | undefined {
  const letters: MeantLetter[] = [];
  let before = '';
  for (let start = 0; start < text.length;) {
    if (text.charCodeAt(start) < 0x80) {
      before = before.slice(-1) + text.charAt(start);
      start += 1;
      continue;
    }
    const first = bytesOf.get(text.charAt(start)) ?? 0;
    if (first < 0xc2 || first > 0xf4) return undefined;
    const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let code = first & (0x7f >> length);
    for (let at = start + 1; at < start + length; at += 1) {
      const byte = bytesOf.get(text.charAt(at)) ?? 0;
      if (byte < 0x80 || byte > 0xbf) return undefined;
      code = code * 64 + (byte & 0x3f);
    }
    if (!isUsual(code)) return undefined;
    const end = start + length;
    letters.push({ code, written: text.slice(start, end), start, end, before });
    before = before.slice(-1) + String.fromCodePoint(code);
    start = end;
  }
  return letters;
}

/** Whether a letter follows capitals and ends the word, as the sign of `CAFÉ™` and `«IRMÃ»` does. */
function isSignOfCapitals({ code, before, end }: MeantLetter, text: string): boolean {
  return (
    !/^\p{Lu}$/u.test(String.fromCodePoint(code)) &&
    /\p{Lu}{2}$/u.test(before) &&
    !/^\p{L}/u.test(text.slice(end, end + 1))
  );
}
