/** A client that asks at a fixed rate whatever becomes of its requests: an overload does not wait for its answers. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface OpenLoopOrder {
  base: string;
  perSecond: number;
  seconds: number;
  /** Path and query of the request with this number, counted from 0. */
  pathOf: (number: number) => string;
  headers?: Readonly<Record<string, string>>;
}

export interface OpenLoopResult {
  sent: number;
  /** Milliseconds from when each request was due until its answer was there to the last byte, by status. */
  latenciesMs: Record<number, number[]>;
  /** Requests whose connection broke, or for which there was none left. */
  failures: number;
  /** Refusals (503) that do not say when to come back. */
  withoutRetryAfter: number;
}

/** Connections at most: more than a queue holds, and fewer than the service takes. */
const connectionsMax = 3000;
/** Milliseconds after the last request in which its answer must come. */
const patienceMs = 30_000;
const tickMs = 2;

/** One connection with one request at a time. */
class Connection {
  readonly #socket: Socket;
  readonly #onFree: (connection: Connection) => void;
  #done: ((status: number, retryAfter: string | undefined) => void) | undefined;
  #head = '';
  #bodyLeft = -1;
  #status = 0;
  #retryAfter: string | undefined;

  constructor(port: number, host: string, onFree: (connection: Connection) => void) {
    this.#onFree = onFree;
    this.#socket = connect(port, host);
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk) => this.#read(chunk));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#finish(0));
  }

  /** `done` is told the status, 0 when the connection broke. */
  send(request: string, done: (status: number, retryAfter: string | undefined) => void): void {
    this.#done = done;
    this.#socket.write(request);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#bodyLeft >= 0) {
      this.#bodyLeft -= chunk.length;
    } else {
      this.#head += chunk.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = this.#head.slice(0, end);
      this.#status = Number(head.slice(9, 12));
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      this.#retryAfter = /\r\nretry-after: *(\S+)/i.exec(head)?.[1];
      this.#bodyLeft = length - (this.#head.length - end - 4);
    }
    if (this.#bodyLeft <= 0) this.#finish(this.#bodyLeft === 0 ? this.#status : 0);
  }

  #finish(status: number): void {
    const done = this.#done;
    this.#done = undefined;
    this.#head = '';
    this.#bodyLeft = -1;
    if (status !== 0) this.#onFree(this);
    else this.destroy();
    done?.(status, this.#retryAfter);
  }
}

/** Sends the requests of an order and resolves when the last one is answered, or after 30 s. */
export async function sendAtRate(order: OpenLoopOrder): Promise<OpenLoopResult> {
  const { perSecond, seconds, pathOf, headers = {} } = order;
  const { hostname, port } = new URL(order.base);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const tail = ` HTTP/1.1\r\nHost: ${hostname}\r\n${lines.join('')}\r\n`;
  const total = Math.round(perSecond * seconds);
  const result: OpenLoopResult = { sent: 0, latenciesMs: {}, failures: 0, withoutRetryAfter: 0 };
  const free: Connection[] = [];
  const connections: Connection[] = [];
  let answered = 0;
  const startedMs = performance.now();

  const send = (dueMs: number): void => {
    let connection = free.pop();
    if (connection === undefined && connections.length < connectionsMax) {
      connection = new Connection(Number(port), hostname, (own) => free.push(own));
      connections.push(connection);
    }
    const number = result.sent;
    result.sent += 1;
    const done = (status: number, retryAfter: string | undefined): void => {
      answered += 1;
      if (status === 0) result.failures += 1;
      else (result.latenciesMs[status] ??= []).push(performance.now() - dueMs);
      if (status === 503 && !/^[1-9]\d*$/.test(retryAfter ?? '')) result.withoutRetryAfter += 1;
    };
    if (connection === undefined) done(0, undefined);
    else connection.send(`GET ${pathOf(number)}${tail}`, done);
  };

  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const nowMs = performance.now() - startedMs;
      const due = Math.min(total, Math.floor((nowMs / 1000) * perSecond));
      while (result.sent < due) send(startedMs + (result.sent / perSecond) * 1000);
      if (answered < total && nowMs < seconds * 1000 + patienceMs) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
  result.failures += result.sent - answered;
  for (const connection of connections) connection.destroy();
  return result;
}

/** The value below which this part of the numbers lies; 0 of none. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
