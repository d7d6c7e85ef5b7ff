/**
 * Parses the PDF of one page that the paint engine writes (ISO 32000-1, 7.3 and 7.5). It has no object streams, and a
 * cross-reference table at its end.
 */

/** A text that is split at its references to objects: odd parts are numbers of objects, the rest is text. */
type LinkedText = readonly string[];

export interface PdfObject {
  /** The object before the data of a stream, without `endobj`; Latin-1. */
  head: LinkedText;
  /** The data of a stream, with its keywords; empty for other objects. */
  stream: Uint8Array;
}

/** A page without its file. */
export interface PdfPage {
  objects: ReadonlyMap<string, PdfObject>;
  /** Value of the page's entry: a dictionary. */
  resources: LinkedText;
  /** Number of the object with the drawing. */
  contents: string;
}

/** Reads the only page of a PDF. Throws an `Error` for a file of another form. */
export function readPdfPage(file: Uint8Array): PdfPage {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const objects = readObjects(bytes);
  for (const { head } of objects.values()) {
    const entries = dictionaryEntries(head);
    if (entries.get('/Type')?.join('').trim() !== '/Page') continue;
    const resources = entries.get('/Resources');
    const [, contents] = entries.get('/Contents') ?? [];
    if (resources !== undefined && contents !== undefined) return { objects, resources, contents };
  }
  throw unknownForm('a page');
}

function readObjects(bytes: Buffer): Map<string, PdfObject> {
  const tableAt = Number(
    /startxref\s+(\d+)/.exec(bytes.toString('latin1', bytes.length - 64))?.[1],
  );
  const table = bytes.toString('latin1', tableAt);
  if (!table.startsWith('xref')) throw unknownForm('a table of objects');
  const offsets = [...table.matchAll(/^(\d{10}) \d{5} n/gm)].map(([, offset]) => Number(offset));
  offsets.sort((a, b) => a - b);
  const objects = new Map<string, PdfObject>();
  for (const [index, offset] of offsets.entries()) {
    const object = bytes.subarray(offset, offsets[index + 1] ?? tableAt);
    const start = /^(\d+) 0 obj\s/.exec(object.toString('latin1', 0, 32));
    if (start?.[1] === undefined) throw unknownForm('an object');
    objects.set(start[1], readObject(object.subarray(start[0].length)));
  }
  return objects;
}

/** Bytes that are first searched for the end of the dictionary. The data of a stream is far longer. */
const headStepBytes = 4096;

function readObject(bytes: Buffer): PdfObject {
  const none = new Uint8Array(0);
  const end = bytes.lastIndexOf('endobj');
  const object = bytes.subarray(0, end === -1 ? undefined : end);
  for (let size = headStepBytes; ; size *= 2) {
    const text = object.toString('latin1', 0, size);
    const { parts, streamAt } = splitReferences(text, size >= object.length);
    if (streamAt !== undefined) return { head: parts, stream: object.subarray(streamAt) };
    if (size >= object.length) return { head: parts, stream: none };
  }
}

/** White space, references, brackets, hexadecimal and literal strings, names, and all other words (7.2 and 7.3). */
const tokenPattern =
  /\s+|(\d+) 0 R(?![^\s()<>[\]{}/%])|<<|>>|[[\]]|<[\dA-Fa-f\s]*>|\((?:\\[\s\S]|[^\\()])*\)|\/[^\s()<>[\]{}/%]*|[^\s()<>[\]{}/%]+/y;

/** Splits a text at its references, up to the start of a stream. A text that is not whole may end within a token. */
function splitReferences(
  text: string,
  isWhole: boolean,
): { parts: string[]; streamAt: number | undefined } {
  const parts = [''];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const at = tokenPattern.lastIndex;
    const match = tokenPattern.exec(text);
    if (match === null) {
      if (!isWhole) break;
      throw unknownForm('a token');
    }
    const [token, number] = match;
    if (token === 'stream') return { parts, streamAt: at };
    if (number === undefined) parts[parts.length - 1] += token;
    else parts.push(number, ' 0 R');
  }
  return { parts, streamAt: undefined };
}

/** The entries of a dictionary, by their names. */
function dictionaryEntries(head: LinkedText): Map<string, string[]> {
  const entries = new Map<string, string[]>();
  let [depth, name] = [0, ''];
  for (const [index, part] of head.entries()) {
    if (index % 2 === 1) {
      entries.get(name)?.push(part, '');
      continue;
    }
    tokenPattern.lastIndex = 0;
    for (const [token] of tokensOf(part)) {
      if (token === '>>' || token === ']') depth -= 1;
      const isName = depth === 1 && token.startsWith('/');
      const value = entries.get(name);
      if (isName && (value === undefined || value.join('').trim() !== '')) {
        name = token;
        entries.set(name, ['']);
      } else if (depth >= 1 && value !== undefined) {
        value[value.length - 1] += token;
      }
      if (token === '<<' || token === '[') depth += 1;
    }
  }
  return entries;
}

function tokensOf(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(new RegExp(tokenPattern.source, 'g'));
}

function unknownForm(what: string): Error {
  return new Error(
    `The paint engine wrote a PDF of a form that is not known: it has no ${what} where one is expected.`,
  );
}
