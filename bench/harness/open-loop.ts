/** An open-loop client: it sends requests at a fixed rate, and does not wait for responses, as in an overload. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface OpenLoopOrder {
  base: string;
  perSecond: number;
  seconds: number;
  /** Returns path and query of the request with this number, counted from 0. */
  pathOf: (number: number) => string;
  headers?: Readonly<Record<string, string>>;
}

export interface OpenLoopResult {
  sent: number;
  /** Milliseconds from the due time of each request to the last byte of its response, by status. */
  latenciesMs: Record<number, number[]>;
  /** Requests whose connection broke, or for which no connection was left. */
  failures: number;
  /** Refusals (503) without `Retry-After`. */
  withoutRetryAfter: number;
}

/** Maximum of connections: more than wait in a queue for half of their deadline, and fewer than the service accepts. */
const connectionsMax = 8000;
/** Time after the last request in which its response must arrive. */
const patienceMs = 30_000;
const tickMs = 2;

/** A connection that was idle for longer is not used again: the service may be closing it. */
const idleMsMax = 5000;

/**
 * All connections read into one buffer. With a new buffer for each read, as is usual in Node, the client took more time
 * than the refusals that it measures.
 */
const received = Buffer.alloc(256 * 1024);

/** One connection with one request at a time. */
class Connection {
  /** The time since which it is idle. */
  freeSinceMs = 0;
  isOpen = true;
  readonly #socket: Socket;
  #done: ((status: number, retryAfter: string | undefined) => void) | undefined;
  #head = '';
  #bodyLeft = -1;
  #status = 0;
  #retryAfter: string | undefined;

  constructor(port: number, host: string) {
    const onread = {
      buffer: received,
      callback: (length: number): boolean => {
        this.#read(length);
        return true;
      },
    };
    this.#socket = connect({ port, host, noDelay: true, onread });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#finish(0));
  }

  /** `done` gets the status, 0 if the connection broke. */
  send(request: string, done: (status: number, retryAfter: string | undefined) => void): void {
    this.#done = done;
    this.#socket.write(request, 'latin1');
  }

  destroy(): void {
    this.isOpen = false;
    this.#socket.destroy();
  }

  #read(length: number): void {
    if (this.#bodyLeft >= 0) {
      this.#bodyLeft -= length;
    } else {
      this.#head += received.toString('latin1', 0, length);
      const end = this.#head.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = this.#head.slice(0, end);
      this.#status = Number(head.slice(9, 12));
      const bodyBytes = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      this.#retryAfter = /\r\nretry-after: *(\S+)/i.exec(head)?.[1];
      this.#bodyLeft = bodyBytes - (this.#head.length - end - 4);
    }
    if (this.#bodyLeft <= 0) this.#finish(this.#bodyLeft === 0 ? this.#status : 0);
  }

  #finish(status: number): void {
    const done = this.#done;
    this.#done = undefined;
    this.#head = '';
    this.#bodyLeft = -1;
    this.freeSinceMs = performance.now();
    if (status === 0) this.destroy();
    done?.(status, this.#retryAfter);
  }
}

/** The open connections, and the idle ones among them, the most recently used first. */
class Connections {
  readonly #open = new Set<Connection>();
  #free: Connection[] = [];
  readonly #port: number;
  readonly #host: string;

  constructor(port: number, host: string) {
    this.#port = port;
    this.#host = host;
  }

  /** Returns an idle connection, or a new one; undefined at the maximum. */
  take(): Connection | undefined {
    for (
      let connection = this.#free.pop();
      connection !== undefined;
      connection = this.#free.pop()
    ) {
      if (connection.isOpen && performance.now() - connection.freeSinceMs < idleMsMax)
        return connection;
      // Those before it have been idle for longer.
      for (const idle of [connection, ...this.#free]) this.#close(idle);
      this.#free = [];
    }
    if (this.#open.size >= connectionsMax) return undefined;
    const connection = new Connection(this.#port, this.#host);
    this.#open.add(connection);
    return connection;
  }

  giveBack(connection: Connection): void {
    if (connection.isOpen) this.#free.push(connection);
    else this.#open.delete(connection);
  }

  destroy(): void {
    for (const connection of this.#open) connection.destroy();
  }

  #close(connection: Connection): void {
    connection.destroy();
    this.#open.delete(connection);
  }
}

/** Sends the requests of an order. Resolves when the last one is answered, or after 30 s. */
export async function sendAtRate(order: OpenLoopOrder): Promise<OpenLoopResult> {
  const { perSecond, seconds, pathOf, headers = {} } = order;
  const { hostname, port } = new URL(order.base);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const tail = ` HTTP/1.1\r\nHost: ${hostname}\r\n${lines.join('')}\r\n`;
  const total = Math.round(perSecond * seconds);
  const result: OpenLoopResult = { sent: 0, latenciesMs: {}, failures: 0, withoutRetryAfter: 0 };
  const connections = new Connections(Number(port), hostname);
  let answered = 0;
  const startedMs = performance.now();

  const send = (dueMs: number): void => {
    const connection = connections.take();
    const number = result.sent;
    result.sent += 1;
    const done = (status: number, retryAfter: string | undefined): void => {
      answered += 1;
      if (connection !== undefined) connections.giveBack(connection);
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
      while (result.sent < due) send(startedMs + ((result.sent + 1) / perSecond) * 1000);
      if (answered < total && nowMs < seconds * 1000 + patienceMs) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
  result.failures += result.sent - answered;
  connections.destroy();
  return result;
}
