/** Reads a text file as decoded chunks, with the number of bytes read. */
import { createReadStream } from 'node:fs';
import type { TextEncoding } from './detect-encoding.ts';

export interface TextChunk {
  text: string;
  /** Bytes of the file that are read so far. */
  bytesRead: number;
}

/** Bytes of a chunk: a thousand rows, about 2 ms of work between two turns of the event loop. */
const chunkBytes = 64 * 1024;

/** Without the byte order mark. Bytes that are no text become U+FFFD. */
export async function* readText(
  path: string,
  { encoding }: TextEncoding,
): AsyncGenerator<TextChunk, void, void> {
  const decoder = new TextDecoder(encoding);
  let bytesRead = 0;
  for await (const chunk of createReadStream(path, {
    highWaterMark: chunkBytes,
  }) as AsyncIterable<Buffer>) {
    bytesRead += chunk.length;
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield { text, bytesRead };
  }
  const text = decoder.decode();
  if (text !== '') yield { text, bytesRead };
}

/** Bytes of the byte order mark. */
export function markBytes({ encoding, hasBom }: TextEncoding): number {
  if (!hasBom) return 0;
  return encoding === 'utf-8' ? 3 : 2;
}

/** Bytes of a text in an encoding. Two-byte encodings have letters of one byte beside ASCII: there it is an upper bound. */
export function encodedBytes(text: string, encoding: string): number {
  if (encoding === 'utf-8') return Buffer.byteLength(text);
  if (encoding.startsWith('utf-16')) return text.length * 2;
  if (!/^(?:shift_jis|euc-|gb|big5)/.test(encoding)) return text.length;
  let bytes = text.length;
  // Katakana of half width has one byte in Shift_JIS.
  for (const character of text) if (character > '\x7f' && !/[｡-ﾟ]/.test(character)) bytes += 1;
  return bytes;
}
