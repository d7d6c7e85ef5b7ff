/** Reads an answer's body, unpacked, within its limits, and stops as soon as it is clear that it is no image. */
import { pipeline } from 'node:stream';
import type { Duplex, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { errorCodeOf } from '../../foundation/errors.ts';
import { ImageError } from '../image-error.ts';
import { sniffBytes } from '../sniff/sniff-image.ts';
import { isSignIn, shareAdvice } from './share-links.ts';
import { parseHttpUrl } from './address-guard.ts';

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

// Reads what an origin's answer, or its silence, means for a fetch.

/** What is looked at of an answer's head, lower-case names. */
interface AnswerHead {
  statusCode: number;
  headers: { location?: string | string[] | undefined };
}

/**
 * Where an answer redirects to; undefined when it does not. Throws an `ImageError`: `redirect` for an
 * address that cannot be asked, `status` for a sign-in page.
 */
export function redirectTarget(
  { statusCode, headers: { location } }: AnswerHead,
  from: URL,
): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
  if (typeof location !== 'string')
    throw new ImageError('redirect', 'is redirected, but its server does not say where to');
  let next: URL;
  try {
    // Bytes beyond ASCII arrive as Latin-1 signs; servers mean UTF-8.
    const escaped = location.replaceAll(
      /[\x80-\xff]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16)}`,
    );
    next = parseHttpUrl(escaped, from);
  } catch (error) {
    throw new ImageError('redirect', 'is redirected to an address that is no http(s) URL', {
      cause: error,
    });
  }
  if (isSignIn(next)) throw new ImageError('status', `needs a sign-in: ${shareAdvice}`);
  return next;
}

/** The error for a status that is neither 200 nor a redirect. */
export function statusError(status: number): ImageError {
  const message =
    status === 404 || status === 410
      ? `was not found at its address (status ${status})`
      : status === 401 || status === 403
        ? `is not publicly accessible (status ${status})`
        : `could not be fetched: its server answered with status ${status}`;
  return new ImageError('status', message, { status });
}

/** What undici and the sockets throw, as an `ImageError`; one that is such already as it is. */
export function toImageError(error: unknown): ImageError {
  if (error instanceof ImageError) return error;
  // Its code differs from mistake to mistake and is missing for some.
  const isParserError = error instanceof Error && error.name === 'HTTPParserError';
  const message = isParserError
    ? 'could not be fetched: its server does not answer in HTTP'
    : 'could not be fetched: the connection ended early';
  return new ImageError('network', message, { cause: error });
}

// Gathers a body of unknown length in bounded memory.

/** Whose memory a body is, and how much of all such bodies it may have: a host, a template, an organization. */
export interface ByteOwner {
  key: string;
  bytesMax: number;
}

/** Bytes that all bodies being received may take together. */
export class ByteBudget {
  readonly #bytesMax: number;
  readonly #usedByOwner = new Map<string, number>();
  #used = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get used(): number {
    return this.#used;
  }

  /** Throws an `ImageError` of reason `overloaded` when there are not `bytes` left, for all or for one of `owners`. */
  take(owners: readonly ByteOwner[], bytes: number): void {
    const isOver = owners.some(({ key, bytesMax }) => this.#usedOf(key) + bytes > bytesMax);
    if (isOver || this.#used + bytes > this.#bytesMax) {
      throw new ImageError(
        'overloaded',
        'could not be loaded: too many large images are being fetched at the moment, try again',
      );
    }
    this.#used += bytes;
    for (const { key } of owners) this.#usedByOwner.set(key, this.#usedOf(key) + bytes);
  }

  give(owners: readonly ByteOwner[], bytes: number): void {
    this.#used -= bytes;
    for (const { key } of owners) {
      const left = this.#usedOf(key) - bytes;
      if (left > 0) this.#usedByOwner.set(key, left);
      else this.#usedByOwner.delete(key);
    }
  }

  #usedOf(key: string): number {
    return this.#usedByOwner.get(key) ?? 0;
  }
}

/** What a body is received for. */
interface CollectorOptions {
  budget: ByteBudget;
  /** Whose shares of the budget it takes. */
  owners: readonly ByteOwner[];
  /** More bytes than that are never appended. */
  bytesMax: number;
}

/** Enough for most photos of an email after one doubling. */
const firstCapacity = 64 * 1024;

/**
 * Bytes of one body. What is received is copied at once, so that a body of a million one-byte
 * chunks costs no more than one of a few large ones; capacity doubles up to `bytesMax` and never
 * follows what a header claims.
 */
export class ByteCollector {
  readonly #options: CollectorOptions;
  #buffer: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** Takes its memory from the budget; `release` gives it back. */
  constructor(options: CollectorOptions) {
    const capacity = Math.min(firstCapacity, options.bytesMax);
    options.budget.take(options.owners, capacity);
    this.#options = options;
    this.#buffer = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    const { budget, owners, bytesMax } = this.#options;
    const needed = this.#length + chunk.byteLength;
    let capacity = this.#buffer.byteLength;
    while (capacity < needed) capacity = Math.max(Math.min(capacity * 2, bytesMax), needed);
    if (capacity > this.#buffer.byteLength) {
      budget.take(owners, capacity - this.#buffer.byteLength);
      const larger = new Uint8Array(capacity);
      larger.set(this.view());
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = needed;
  }

  /** What has been received; valid until the next `append`. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  /** A copy in shared memory, of exactly the length received; the caller owns it. */
  toShared(): Uint8Array<SharedArrayBuffer> {
    const shared = new Uint8Array(new SharedArrayBuffer(this.#length));
    shared.set(this.view());
    return shared;
  }

  /** Ends the collector's life: its memory counts no longer. */
  release(): void {
    this.#options.budget.give(this.#options.owners, this.#buffer.byteLength);
    this.#buffer = new Uint8Array(0);
    this.#length = 0;
  }
}
