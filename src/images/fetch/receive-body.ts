/** Reads an answer's body, unpacked, within its limits, and stops as soon as it is clear that it is no image. */
import { pipeline } from 'node:stream';
import type { Duplex, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { errorCodeOf } from '../../foundation/errors.ts';
import { ByteCollector } from './byte-collector.ts';
import type { ByteBudget, ByteOwner } from './byte-collector.ts';
import { ImageError } from '../image-error.ts';
import { sniffBytes } from '../sniff/sniff-image.ts';

export interface BodyLimits {
  bytesMax: number;
  /** Looks at the first bytes (512, or all when there are fewer) and says how many are worth reading. */
  bytesWanted: (head: Uint8Array) => number;
  budget: ByteBudget;
  /** Whose shares of the budget it takes. */
  owners: readonly ByteOwner[];
}

/**
 * The body's bytes in shared memory that the caller owns: all of them, or the first `bytesWanted`
 * or a few more. Rejects with an `ImageError` (`too_large`, `overloaded`) or with what the body
 * throws; leaving early destroys the body, and with it its connection.
 */
export async function receiveBody(
  body: AsyncIterable<Uint8Array>,
  limits: BodyLimits,
): Promise<Uint8Array<SharedArrayBuffer>> {
  const { bytesMax, bytesWanted } = limits;
  const received = new ByteCollector(limits);
  let wanted: number | undefined;
  try {
    for await (const chunk of body) {
      if (received.length + chunk.byteLength > bytesMax) throw tooLarge(bytesMax);
      received.append(chunk);
      if (wanted === undefined && received.length >= sniffBytes) {
        wanted = bytesWanted(received.view());
      }
      if (wanted !== undefined && received.length >= wanted) break;
    }
    return received.toShared();
  } finally {
    received.release();
  }
}

const decoders: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Codes of zlib and Brotli for data that is damaged or ends too early. */
const corruptPattern = /^(Z_|ERR__ERROR|ERR_BROTLI)/;

/** A body without its compression, by its `Content-Encoding`; undefined for one of an unknown kind. */
export function plainBody(
  body: Readable,
  contentEncoding: string,
  bytesMax: number,
): AsyncIterable<Uint8Array> | undefined {
  const encoding = contentEncoding.trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return body;
  return inflateBody(body, encoding, bytesMax);
}

/**
 * A compressed body, unpacked as it is read; undefined for an encoding other than gzip, deflate and
 * Brotli. Storage services send what was uploaded compressed that way, whatever was asked for.
 *
 * The attack: kilobytes that unpack to gigabytes, or gigabytes that unpack to nothing. What comes out
 * is bounded by its reader, what goes in is bounded here, both by `bytesMax`. Leaving early destroys
 * the body. Throws an `ImageError` of reason `too_large` or `decode`.
 */
function inflateBody(
  body: Readable,
  encoding: string,
  bytesMax: number,
): AsyncIterable<Uint8Array> | undefined {
  const decoder = decoders.get(encoding)?.();
  return decoder === undefined ? undefined : inflate(body, decoder, bytesMax);
}

async function* inflate(
  body: Readable,
  decoder: Duplex,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  const bounded = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let received = 0;
    for await (const chunk of chunks) {
      received += chunk.byteLength;
      if (received > bytesMax) throw tooLarge(bytesMax);
      yield chunk;
    }
  };
  // Its errors come out of the decoder's iteration.
  pipeline(body, bounded, decoder, () => undefined);
  try {
    yield* decoder as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (!corruptPattern.test(errorCodeOf(error) ?? '')) throw error;
    throw new ImageError('decode', 'is sent with a damaged compression', { cause: error });
  } finally {
    decoder.destroy();
    body.destroy();
  }
}

/** The error for a file over the limit. */
export function tooLarge(bytesMax: number): ImageError {
  const limit = Number((bytesMax / 1024 / 1024).toPrecision(3));
  return new ImageError('too_large', `is larger than ${limit} MiB, the limit`);
}
