/** Reads a text file as decoded chunks, with the number of bytes read. */
import { createReadStream } from 'node:fs';
import type { TextEncoding } from './detect-encoding.ts';

export interface TextChunk {
  text: string;
  /** Bytes of the file read so far. */
  bytesRead: number;
}

/** Bytes of a chunk: a thousand rows, about 2 ms of work between two turns of the event loop. */
const chunkBytes = 64 * 1024;

/** Decodes a file without its byte order mark. Invalid bytes become U+FFFD. */
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
  if (encoding === 'utf-8') return Buffer.byteLength(text);
  if (encoding.startsWith('utf-16')) return text.length * 2;
  if (!/^(?:shift_jis|euc-|gb|big5)/.test(encoding)) return text.length;
  let bytes = text.length;
  // Half-width Katakana has one byte in Shift_JIS.
  for (const character of text) if (character > '\x7f' && !/[｡-ﾟ]/.test(character)) bytes += 1;
  return bytes;
}
