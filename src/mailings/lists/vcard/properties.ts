/** Reads the properties of a vCard file (vCard 2.1, RFC 2426, RFC 6350). */
import { createReadStream } from 'node:fs';
import { formatCount, unreadable } from '../list.ts';
import type { TextEncoding } from '../text/detect-encoding.ts';
import { decodeWhole, findEncoding } from '../text/text-encodings.ts';
import { readText, type TextChunk } from '../text/read-text.ts';
import { Unfolder } from './unfolder.ts';

/** A property of a card. */
export interface Property {
  /** In upper case, without a group: `EMAIL` of `item1.EMAIL`. Empty for a line that is no property. */
  name: string;
  /** Values of the parameters, in upper case, by names in upper case. `;HOME` is a `TYPE`, as in vCard 2.1. */
  parameters: ReadonlyMap<string, readonly string[]>;
  /** Decoded, with its escapes. */
  value: string;
  line: number;
}

/** Calls `handle` for each property that `isRead` by its name. Yields the number of bytes read after each chunk. */
export async function* readProperties(
  path: string,
  { encoding }: TextEncoding,
  isRead: (name: string) => boolean,
  handle: (property: Property) => void,
): AsyncGenerator<number, void, void> {
  const isWide = encoding.startsWith('utf-16');
  const unfolder = new Unfolder(isRead, (text, line) => {
    const { value, ...property } = parseProperty(text, line);
    handle({ ...property, value: decodeValue({ ...property, value }, encoding, isWide) });
  });
  let read = 0;
  // A line may be folded inside a letter, and a value may have its own encoding, so bytes are decoded by value.
  const chunks = isWide ? readText(path, { encoding, hasBom: false }) : readBytes(path);
  for await (const { text, bytesRead } of chunks) {
    read = bytesRead;
    unfolder.push(text);
    yield bytesRead;
  }
  unfolder.end();
  yield read;
}

/** Reads a file as characters of a byte each, without the byte order mark of UTF-8. */
async function* readBytes(path: string): AsyncGenerator<TextChunk, void, void> {
  let bytesRead = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const text = chunk.toString('latin1');
    yield {
      text: bytesRead === 0 ? text.replace(/^\u{EF}\u{BB}\u{BF}/u, '') : text,
      bytesRead: (bytesRead += chunk.length),
    };
  }
}

function parseProperty(text: string, line: number): Property {
  const [, name = '', parameters = '', value = text] =
    /^(?:[\w-]+\.)?([\w-]+)((?:;(?:[^":;]|"[^"]*")*)*):(.*)$/s.exec(text) ?? [];
  const byName = new Map<string, string[]>();
  for (const [, given = ''] of parameters.matchAll(/;((?:[^";]|"[^"]*")*)/g)) {
    const [, key = 'TYPE', values = given] = /^\s*([\w-]+)\s*=(.*)$/s.exec(given) ?? [];
    const found = byName.get(key.toUpperCase()) ?? [];
    found.push(...values.replaceAll('"', '').toUpperCase().split(','));
    byName.set(key.toUpperCase(), found);
  }
  return { name: name.toUpperCase(), parameters: byName, value, line };
}

function decodeValue(
  { parameters, value, line }: Property,
  encoding: string,
  isWide: boolean,
): string {
  const isQuoted = [parameters.get('ENCODING'), parameters.get('TYPE')].some((values) =>
    values?.includes('QUOTED-PRINTABLE'),
  );
  const charset = parameters.get('CHARSET')?.[0]?.toLowerCase();
  if (isWide && !isQuoted) return value;
  const bytes = Buffer.from(isQuoted ? unquote(value) : value, 'latin1');
  const label = charset ?? (isWide ? 'utf-8' : encoding);
  const known = findEncoding(label);
  if (known !== undefined) return decodeWhole(bytes, known);
  throw unreadable(
    `The property on line ${formatCount(line)} names the character set "${label.slice(0, 40)}", which is unknown. Expected one such as UTF-8 or ISO-8859-1.`,
  );
}

/** Decodes quoted-printable (RFC 2045, 6.7) to characters of a byte each. */
function unquote(value: string): string {
  return value.replaceAll(/=([\dA-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
