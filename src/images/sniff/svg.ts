/** Recognises an SVG by its first element, after an XML declaration, comments and a document type. */

/** The result for the first bytes of a file: an SVG, another format, or undecided (a long comment). */
export type SvgGuess = 'yes' | 'no' | 'unsure';

/** Bytes read; editors write licences and metadata before the first element. */
const charactersMax = 64 * 1024;

/**
 * Whether the first element is `svg`, after an XML declaration, comments and a document type. `unsure` if the bytes end
 * before an element begins. Takes linear time and never throws.
 */
export function guessSvg(bytes: Uint8Array): SvgGuess {
  const text = decodeHead(bytes.subarray(0, charactersMax));
  const root = firstElement(text);
  if (root === -1) return text.trim() === '' ? 'no' : 'unsure';
  return guessTag(text.slice(root, root + 64));
}

/** Offset of the first element or of other text; -1 if there is only space, declarations and comments. */
export function firstElement(text: string): number {
  let position = skipSpace(text, 0);
  while (text.startsWith('<', position)) {
    const end = endOfPrologue(text, position);
    if (end === undefined) return position;
    if (end === -1) return -1;
    position = skipSpace(text, end);
  }
  return position < text.length ? position : -1;
}

/** The encoding by the byte order mark, or by the two bytes of `<` in UTF-16; else UTF-8. */
export function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return 'utf-8';
}

function decodeHead(bytes: Uint8Array): string {
  // A copy, because the decoder takes no shared memory.
  return new TextDecoder(encodingOf(bytes)).decode(new Uint8Array(bytes));
}

/** End offset of a declaration, comment or document type; -1 if it has no end; undefined for anything else. */
function endOfPrologue(text: string, start: number): number | undefined {
  if (text.startsWith('<?', start)) return after(text, '?>', start + 2);
  if (text.startsWith('<!--', start)) return after(text, '-->', start + 4);
  if (!/^<!doctype\s+svg\b/i.test(text.slice(start, start + 32))) return undefined;
  const bracket = text.indexOf('[', start);
  const close = text.indexOf('>', start);
  if (bracket === -1 || bracket > close) return close === -1 ? -1 : close + 1;
  const subset = after(text, ']', bracket);
  return subset === -1 ? -1 : after(text, '>', subset);
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? -1 : found + mark.length;
}

function skipSpace(text: string, from: number): number {
  let position = from;
  while (position < text.length && text.charAt(position).trim() === '') position++;
  return position;
}

function guessTag(head: string): SvgGuess {
  if (/^<(?:[A-Za-z_][\w.-]*:)?svg[\s/>]/.test(head)) return 'yes';
  // The bytes may end inside the name `svg`.
  return /^<(?:[A-Za-z_][\w.-]*:)?(?:s|sv|svg)?$/.test(head) ? 'unsure' : 'no';
}
