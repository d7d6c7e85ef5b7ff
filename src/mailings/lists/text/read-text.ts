/** Reads a text file as decoded chunks, with the number of bytes read. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { TextEncoding } from './detect-encoding.ts';
import { unfinishedBytes } from './sample-cells.ts';
import { createDecoder, decodeWhole } from './text-encodings.ts';
import type { ListDecoder } from './text-encodings.ts';

export interface TextChunk {
  text: string;
  /** Bytes of the file read so far. */
  bytesRead: number;
}

/** Bytes of a chunk: a thousand rows, about 2 ms of work between two turns of the event loop. */
const chunkBytes = 64 * 1024;

/**
 * Decodes a file without its byte order mark. Invalid bytes become U+FFFD; with a stray encoding, each becomes the lone
 * surrogate U+DC00 and the byte (as PEP 383 does), from which `readStrayBytes` reads it.
 */
export async function* readText(
  path: string,
  { encoding, strayEncoding }: TextEncoding,
): AsyncGenerator<TextChunk, void, void> {
  const decoder = strayEncoding === undefined ? createDecoder(encoding) : strayDecoder();
  let bytesRead = 0;
  for await (const chunk of createReadStream(path, {
    highWaterMark: chunkBytes,
  }) as AsyncIterable<Buffer>) {
    bytesRead += chunk.length;
    const text = decoder.decode(chunk);
    if (text !== '') yield { text, bytesRead };
  }
  const text = decoder.end();
  if (text !== '') yield { text, bytesRead };
}

const letterOrByte =
  /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}|[\x80-\xff]/g;

/** Decodes UTF-8 with bytes that are none. */
function strayDecoder(): ListDecoder {
  let rest: Buffer = Buffer.alloc(0);
  let isStart = true;
  const decode = (bytes: Buffer): string => {
    const text = isUtf8(bytes)
      ? bytes.toString('utf8')
      : bytes
          .toString('latin1')
          .replaceAll(letterOrByte, (found) =>
            found.length > 1
              ? Buffer.from(found, 'latin1').toString('utf8')
              : String.fromCharCode(0xdc00 + found.charCodeAt(0)),
          );
    const withoutMark = isStart && text.startsWith('\uFEFF') ? text.slice(1) : text;
    isStart = false;
    return withoutMark;
  };
  return {
    decode(chunk) {
      const bytes = Buffer.concat([rest, chunk]);
      const end = bytes.length - unfinishedBytes(bytes);
      rest = bytes.subarray(end);
      return end === 0 ? '' : decode(bytes.subarray(0, end));
    },
    end: () => (rest.length === 0 ? '' : decode(rest)),
  };
}

/** A surrogate that no other precedes. */
const strayByte = /(?<![\ud800-\udbff])[\udc80-\udcff]/;

function countStrayBytes(text: string): number {
  return text.match(new RegExp(strayByte, 'g'))?.length ?? 0;
}

/** Whether a text has bytes that are not UTF-8. */
export function hasStrayBytes(text: string): boolean {
  return !text.isWellFormed() && strayByte.test(text);
}

/** A text as it reads if all its bytes are in `encoding`. */
export function readStrayBytes(text: string, encoding: string): string {
  const bytes = Array.from(text, (character) =>
    strayByte.test(character) && character.length === 1
      ? Buffer.from([character.charCodeAt(0) - 0xdc00])
      : Buffer.from(character),
  );
  return decodeWhole(Buffer.concat(bytes), encoding);
}

/** A text whose bytes that are not UTF-8 are read in their likely encoding. */
export function wholeText(text: string, { strayEncoding }: TextEncoding): string {
  const isStray = strayEncoding !== undefined && hasStrayBytes(text);
  return isStray ? readStrayBytes(text, strayEncoding) : text;
}

/** Size of the byte order mark in bytes. */
export function markBytes({ encoding, hasBom }: TextEncoding): number {
  if (!hasBom) return 0;
  return encoding === 'utf-8' ? 3 : 2;
}

/**
 * Size of a text in an encoding, bytes. For two-byte encodings it is an upper bound, as some letters beyond ASCII have
 * one byte.
 */
export function encodedBytes(text: string, encoding: string): number {
  if (encoding === 'utf-8')
    return Buffer.byteLength(text) - (text.isWellFormed() ? 0 : 2 * countStrayBytes(text));
  if (encoding.startsWith('utf-16')) return text.length * 2;
  if (!/^(?:shift_jis|euc-|gb|big5)/.test(encoding)) return text.length;
  let bytes = text.length;
  // Half-width Katakana has one byte in Shift_JIS.
  for (const character of text) if (character > '\x7f' && !/[｡-ﾟ]/.test(character)) bytes += 1;
  return bytes;
}
