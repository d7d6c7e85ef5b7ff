/** The body of one request: kept within its bounds for the handler, or discarded until the response can be sent. */
import type { HttpResponse } from 'uWebSockets.js';
import { AppError } from '../../foundation/errors.ts';
import type { UploadBudget } from './upload-budget.ts';

/**
 * An upload ends after this time without a byte. The addon closes a socket without a response if it sends less than 16
 * KiB/s over 8 to 12 s.
 */
const stallMs = 5000;

/** Time to receive a whole body: 10 MiB at 1.4 Mbit/s. */
const receiveMsMax = 60_000;

/** Time to receive a body that a file takes: 512 MiB at 2.4 Mbit/s. */
const uploadMsMax = 30 * 60_000;

/**
 * Bytes that are read and discarded before a response: a client that is cut off while it sends never reads the
 * response.
 */
const drainBytesMax = 64 * 1024 * 1024;

/** Time to discard a body, and time without a byte. */
const drainMsMax = 10_000;
const drainStallMs = 2000;

/** Initial bytes of a body's buffer; it doubles as needed, so that only received bytes take memory. */
const firstCapacityBytes = 16_384;

/** Receives the chunks of a body that is not kept in memory. */
export interface BodySink {
  /** Takes a chunk, which then belongs to the sink. Returns false if it is full until `onceDrained` calls back. */
  write(chunk: Buffer): boolean;
  onceDrained(resume: () => void): void;
  /** Called after the last chunk. */
  end(): void;
}

/** A bound below that of the route. */
export interface BodyLimit {
  bytesMax: number;
  /** The error of a longer body. */
  tooLarge: AppError;
}

/** Limits and callback of the reception. */
export interface RequestBodyOptions {
  /** Bytes that its route accepts; 0 discards the body. */
  bytesMax: number;
  /** Bytes that the head announces; absent if it does not. */
  announcedBytes?: number | undefined;
  budget: UploadBudget;
  /** The organization of the API key; the handler checks the key before the first byte is kept. */
  organizationOf: () => string;
  /** Called at the last byte. */
  onComplete: () => void;
}

/**
 * Receives a body. Must be created before the route's handler returns. Keeps nothing of a body that is too long or too
 * slow, or whose response is known already.
 */
export class RequestBody {
  readonly #response: HttpResponse;
  readonly #options: RequestBodyOptions;
  readonly #startedMs = performance.now();
  #timer: NodeJS.Timeout;
  #limit: BodyLimit | undefined;
  #bytes = Buffer.alloc(0);
  /** The organization in whose share of the budget the bytes count. */
  #organizationUid: string | undefined;
  #length = 0;
  #seenBytes = 0;
  #isKept: boolean;
  #sink: BodySink | undefined;
  #isPaused = false;
  #isComplete = false;
  #failure: AppError | undefined;
  #reader: PromiseWithResolvers<Buffer> | undefined;
  #onDrained: (() => void) | undefined;
  #drainEndMs = Infinity;

  constructor(response: HttpResponse, options: RequestBodyOptions) {
    this.#response = response;
    this.#options = options;
    this.#isKept = options.bytesMax > 0;
    this.#timer = this.#startTimer();
    response.onData((chunk, isLast) => this.#receive(chunk, isLast));
  }

  get #bytesMax(): number {
    return this.#limit?.bytesMax ?? this.#options.bytesMax;
  }

  /** True after the last byte. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /**
   * Whether the body is in chunks, whose ends the parser does not check: it takes any two bytes for an end of line. A
   * proxy may see other ends, so what follows on the connection must not run.
   */
  get isChunked(): boolean {
    return this.#options.announcedBytes === undefined;
  }

  /** Lowers the bound. A body that announces more fails at once, without a byte of it. */
  limit(limit: BodyLimit): void {
    if (limit.bytesMax >= this.#bytesMax) return;
    this.#limit = limit;
    if ((this.#options.announcedBytes ?? 0) > limit.bytesMax) this.#fail(limit.tooLarge);
  }

  /**
   * Resolves to the whole body, which belongs to the caller until `release`. Rejects with PAYLOAD_TOO_LARGE,
   * REQUEST_TIMEOUT, OVERLOADED if all uploads together hold too much, or BAD_REQUEST if the client disconnected.
   */
  read(): Promise<Buffer> {
    this.#reader ??= Promise.withResolvers<Buffer>();
    this.#settle();
    return this.#reader.promise;
  }

  /**
   * Gives the body to `sink`, and the client waits while the sink is full. Resolves when the sink has taken the last
   * chunk. Rejects as `read` does.
   */
  async passTo(sink: BodySink): Promise<void> {
    if (this.#failure === undefined) {
      const kept = Buffer.from(this.#bytes.subarray(0, this.#length));
      this.#giveBack();
      if (kept.length > 0) sink.write(kept);
      this.#sink = sink;
    }
    await this.read();
    sink.end();
  }

  /** To be called when the client has disconnected. */
  abort(): void {
    this.#isPaused = false;
    this.#fail(
      new AppError('BAD_REQUEST', 'The sender left before the body was complete.', {
        reason: 'aborted',
      }),
    );
    this.release();
    this.#drained();
  }

  /**
   * Discards the rest, and calls `onDrained` once: at the last byte, within the parser's turn, or when a bound on bytes
   * or time is reached.
   */
  drain(onDrained: () => void): void {
    this.release();
    this.#onDrained = onDrained;
    // After a timeout the rest is not awaited again.
    if (this.#isComplete || this.#failure?.code === 'REQUEST_TIMEOUT') return this.#drained();
    this.#drainEndMs = performance.now() + drainMsMax;
    this.#timer = setTimeout(() => this.#drained(), drainStallMs);
    this.#timer.unref();
  }

  /** Releases the bytes after their handler has finished. */
  release(): void {
    this.#resume();
    clearTimeout(this.#timer);
    this.#isKept = false;
    this.#giveBack();
  }

  #giveBack(): void {
    this.#options.budget.give(this.#bytes.length, this.#organizationUid ?? '');
    this.#bytes = Buffer.alloc(0);
  }

  #receive(chunk: ArrayBuffer, isLast: boolean): void {
    this.#seenBytes += chunk.byteLength;
    if (this.#isKept) this.#keep(Buffer.from(chunk), isLast);
    this.#isComplete = isLast;
    if (isLast) {
      if (this.#isKept) clearTimeout(this.#timer);
      this.#options.onComplete();
      this.#settle();
    }
    if (this.#onDrained === undefined) return;
    const isOver = this.#seenBytes > drainBytesMax || performance.now() > this.#drainEndMs;
    if (isLast || isOver) this.#drained();
    else this.#timer.refresh();
  }

  /** Copies a chunk: it belongs to the addon and is invalid afterwards. */
  #keep(chunk: Buffer, isLast: boolean): void {
    const length = this.#length + chunk.length;
    const bytesMax = this.#bytesMax;
    if (length > bytesMax) return this.#fail(this.#limit?.tooLarge ?? tooLarge(bytesMax));
    const msMax = this.#sink === undefined ? receiveMsMax : uploadMsMax;
    if (!isLast && performance.now() - this.#startedMs > msMax) return this.#fail(tooSlow(msMax));
    if (this.#sink !== undefined) return this.#pass(this.#sink, chunk, isLast);
    if (length > this.#bytes.length && !this.#grow(length)) return this.#fail(tooManyUploads());
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
    this.#timer.refresh();
  }

  #pass(sink: BodySink, chunk: Buffer, isLast: boolean): void {
    this.#length += chunk.length;
    this.#timer.refresh();
    // The addon still delivers what it had read before the pause.
    if (sink.write(Buffer.from(chunk)) || isLast || this.#isPaused) return;
    // The disk is slow, not the client.
    clearTimeout(this.#timer);
    this.#isPaused = true;
    this.#response.pause();
    sink.onceDrained(() => {
      if (this.#failure === undefined) this.#timer = this.#startTimer();
      this.#resume();
    });
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#response.resume();
  }

  #startTimer(): NodeJS.Timeout {
    return setTimeout(() => this.#fail(tooSlow(receiveMsMax)), stallMs).unref();
  }

  #grow(length: number): boolean {
    const doubled = Math.max(length, this.#bytes.length * 2, firstCapacityBytes);
    const capacity = Math.min(doubled, this.#bytesMax);
    this.#organizationUid ??= this.#options.organizationOf();
    const added = capacity - this.#bytes.length;
    if (!this.#options.budget.take(added, this.#organizationUid)) return false;
    const bytes = Buffer.allocUnsafeSlow(capacity);
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
    return true;
  }

  #fail(failure: AppError): void {
    if (this.#isComplete) return;
    this.#failure ??= failure;
    this.release();
    this.#settle();
  }

  #settle(): void {
    if (this.#failure !== undefined) this.#reader?.reject(this.#failure);
    else if (this.#isComplete) {
      const length = this.#sink === undefined ? this.#length : 0;
      this.#reader?.resolve(this.#bytes.subarray(0, length));
    }
  }

  #drained(): void {
    const onDrained = this.#onDrained;
    if (onDrained === undefined) return;
    this.#onDrained = undefined;
    clearTimeout(this.#timer);
    onDrained();
  }
}

/** 413, with the limit of the route. */
export function tooLarge(bytesMax: number): AppError {
  const limit =
    bytesMax === 0 ? 'takes no body; send it without one' : `takes at most ${bytesMax} bytes`;
  return new AppError('PAYLOAD_TOO_LARGE', `The body is too large: this address ${limit}.`, {
    reason: 'body',
  });
}

function tooSlow(msMax: number): AppError {
  return new AppError(
    'REQUEST_TIMEOUT',
    `The body did not arrive in time: send it without a pause of over ${stallMs / 1000} s, and within ${msMax / 1000} s.`,
    { reason: 'body' },
  );
}

function tooManyUploads(): AppError {
  return new AppError('OVERLOADED', 'Too many uploads at a time; send it again in a moment.', {
    reason: 'uploads',
    retryAfterSeconds: 2,
  });
}
