/** Reads and decompresses the body of an answer within its limits. Stops as soon as the bytes cannot be an image. */
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
  /** Returns the number of bytes to read, from the first bytes (512, or all if fewer). */
  bytesWanted: (head: Uint8Array) => number;
  budget: ByteBudget;
  /** Owners in whose shares of the budget the body counts. */
  owners: readonly ByteOwner[];
}

/**
 * Returns the body in shared memory that the caller owns: all bytes, or at least the first `bytesWanted`. Rejects with
 * an `ImageError` (`too_large`, `overloaded`) or with the error of the body. Stopping early destroys the body and
 * closes its connection.
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

/** The decompressed body, by its `Content-Encoding`; undefined for an unknown encoding. */
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
 * Decompresses a body as it is read; undefined for an encoding other than gzip, deflate and Brotli. Storage services
 * send files compressed that were uploaded compressed, even if the request accepts `identity` only.
 *
 * The attack: kilobytes that decompress to gigabytes, or gigabytes that decompress to nothing. This function bounds the
 * input, and its reader bounds the output, both by `bytesMax`. Stopping early destroys the body. Throws an `ImageError`
 * of reason `too_large` or `decode`.
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
  // The iteration of the decoder throws the errors of the pipeline.
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

export function tooLarge(bytesMax: number): ImageError {
  const limit = Number((bytesMax / 1024 / 1024).toPrecision(3));
  return new ImageError('too_large', `is larger than ${limit} MiB, the limit`);
}

// Redirects and errors of a fetch, from the answer of its origin.

/** The parts of an answer's head that redirects need; lower-case names. */
interface AnswerHead {
  statusCode: number;
  headers: { location?: string | string[] | undefined };
}

/**
 * The target of a redirect; undefined for any other answer. Throws an `ImageError`: `redirect` for a target that is no
 * http(s) URL, `status` for a sign-in page.
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
    // Bytes beyond ASCII arrive as Latin-1 characters, but servers send UTF-8.
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

/** Converts an error of undici or of a socket to an `ImageError`; returns an `ImageError` unchanged. */
export function toImageError(error: unknown): ImageError {
  if (error instanceof ImageError) return error;
  // By its name: the code differs by fault and is missing for some.
  const isParserError = error instanceof Error && error.name === 'HTTPParserError';
  const message = isParserError
    ? 'could not be fetched: its server does not answer in HTTP'
    : 'could not be fetched: the connection ended early';
  return new ImageError('network', message, { cause: error });
}

// Collects a body of unknown length in bounded memory.

/** A host, a template or an organization, and the bytes that all its bodies may hold together. */
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

  /** Throws an `ImageError` of reason `overloaded` if `bytes` exceed the rest of the budget or of an owner's share. */
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

interface CollectorOptions {
  budget: ByteBudget;
  /** Owners in whose shares of the budget the body counts. */
  owners: readonly ByteOwner[];
  /** Upper bound of the capacity; the caller never appends more. */
  bytesMax: number;
}

/** Initial capacity. After one doubling it holds most photos of emails. */
const firstCapacity = 64 * 1024;

/**
 * Bytes of one body. Each chunk is copied at once, so a body of a million one-byte chunks costs no more than one of a
 * few large chunks. The capacity doubles up to `bytesMax` and never depends on `Content-Length`.
 */
export class ByteCollector {
  readonly #options: CollectorOptions;
  #buffer: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** Takes memory from the budget; `release` gives it back. */
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

  /** The bytes received so far; valid until the next `append`. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  /** A copy in shared memory, of exactly the length received; the caller owns it. */
  toShared(): Uint8Array<SharedArrayBuffer> {
    const shared = new Uint8Array(new SharedArrayBuffer(this.#length));
    shared.set(this.view());
    return shared;
  }

  /** Gives the memory back to the budget; the collector must not be used afterwards. */
  release(): void {
    this.#options.budget.give(this.#options.owners, this.#buffer.byteLength);
    this.#buffer = new Uint8Array(0);
    this.#length = 0;
  }
}
