/** The HTTP server: routes, methods, the life of one request, and the orderly end. */
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { errorText, type Log } from '../log.ts';
import type { BodyFraming } from './body-framing.ts';
import { hasFraming, readFraming } from './body-framing.ts';
import type { ClientAddresses } from './client-address.ts';
import { createClientAddresses } from './client-address.ts';
import { Exchange } from './exchange.ts';
import { KeyThrottle } from './key-throttle.ts';
import { listen, stopListening } from './listen.ts';
import { App, SSLApp, us_socket_local_port } from './native.ts';
import { OpenCount } from './open-count.ts';
import { errorReply, type CacheState, type Reply } from './reply.ts';
import { refuse, unknownRoute } from './refusal.ts';
import { RequestBody, UploadBudget } from './request-body.ts';
import { send } from './respond.ts';
import { mergeRoutes, type Endpoint, type PathEntry, type Route } from './route.ts';

export type { Handler, Route } from './route.ts';

/** What is told of a finished request; `status` 499 means that the caller left before the answer. */
export interface RequestRecord {
  exchange: Exchange;
  route: string;
  status: number;
  ms: number;
  cacheState: CacheState | undefined;
  cause: string | undefined;
  detail: string | undefined;
  /** As in `Reply`. */
  notes: Reply['notes'];
}

export interface ServerOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Whether another process of the same user may listen there too, to take over from this one; default: no. */
  sharesPort?: boolean;
  /** PEM files; absent: plain HTTP. */
  tls?: { certificatePath: string; keyPath: string };
  /** The deadline of each request. */
  timeoutMs: number;
  routes: readonly Route[];
  /** Addresses and CIDR blocks of proxies whose `X-Forwarded-For` is believed; default: none. */
  trustedProxies?: readonly string[];
  /** Called after each request; must not throw. */
  onRequest: (record: RequestRecord) => void;
  log: Log;
}

export interface Server {
  /** Requests that are not answered to their last byte. */
  readonly openRequests: number;
  readonly openConnections: number;
  /** Resolves to the port in use. Rejects when the address cannot be had. */
  listen(): Promise<number>;
  /** From now on every answer ends its connection; resolves when no new connection is accepted any more. */
  drain(): Promise<void>;
  /** Resolves when every request is answered to the last byte, or after `timeoutMs`. */
  idle(timeoutMs: number): Promise<void>;
  /** After `drain`: resolves when every caller has gone, also those between two requests, or after `timeoutMs`. */
  left(timeoutMs: number): Promise<void>;
  /** Closes every connection. */
  close(): void;
}

/**
 * Connections at a time; the next one is closed at once. Below the smallest limit on open files that Linux gives a process
 * (4,096, which Node raises itself to), because beyond that accepting fails in a busy loop. Each may hold a request
 * head of 16 KiB, and the addon closes those that send nothing, or too little, after 8 to 12 s.
 */
export const connectionsMax = 3500;

/** Creates a server that does not listen yet. */
export function createServer(options: ServerOptions): Server {
  return new AddonServer(options);
}

class AddonServer implements Server {
  readonly #options: ServerOptions;
  readonly #app: TemplatedApp;
  readonly #uploads = new UploadBudget();
  readonly #throttle = new KeyThrottle();
  readonly #addresses: ClientAddresses;
  #listenSocket: us_listen_socket | undefined;
  readonly #requests = new OpenCount();
  readonly #connections = new OpenCount();
  #isDraining = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#app = createApp(options);
    this.#addresses = createClientAddresses(options.trustedProxies ?? []);
    this.#app.filter((response, change) => {
      this.#connections.add(change);
      if (change === 1 && this.#connections.count > connectionsMax) response.close();
    });
    for (const entry of mergeRoutes([...options.routes, unknownRoute])) {
      this.#app.any(entry.path, (response, request) => {
        const exchange = new Exchange(request, entry.places, options.timeoutMs);
        this.#requests.add(1);
        const isRead = exchange.method === 'GET' || exchange.isHead;
        if (isRead && entry.get !== undefined && !hasFraming(request)) {
          this.#run(entry.get, exchange, response);
        } else {
          this.#serveOther(entry, exchange, response, request);
        }
      });
    }
  }

  get openRequests(): number {
    return this.#requests.count;
  }

  get openConnections(): number {
    return this.#connections.count;
  }

  async listen(): Promise<number> {
    const { host, port, sharesPort } = this.#options;
    const socket = await listen(this.#app, host, port, sharesPort === true);
    this.#listenSocket = socket;
    return us_socket_local_port(socket);
  }

  async drain(): Promise<void> {
    this.#isDraining = true;
    const socket = this.#listenSocket;
    this.#listenSocket = undefined;
    if (socket !== undefined) await stopListening(socket);
  }

  idle(timeoutMs: number): Promise<void> {
    return this.#requests.none(timeoutMs);
  }

  left(timeoutMs: number): Promise<void> {
    return this.#connections.none(timeoutMs);
  }

  close(): void {
    this.#app.close();
  }

  #run(endpoint: Endpoint, exchange: Exchange, response: HttpResponse): void {
    let reply: Reply;
    try {
      if (!this.#throttle.isQuiet) this.#refuseKey(exchange, response);
      const answer = endpoint.handler(exchange);
      if (answer instanceof Promise) {
        void this.#finishLater(endpoint, exchange, response, answer);
        return;
      }
      reply = answer;
    } catch (error) {
      reply = errorReply(error, endpoint.errorShape, exchange.requestId);
    }
    this.#conclude(endpoint, exchange, response, reply);
  }

  /** Throws TOO_MANY_REQUESTS for a key that is not to be looked up. */
  #refuseKey(exchange: Exchange, response: HttpResponse): void {
    if (exchange.apiKey === '') return;
    const refusal = this.#throttle.refusal(exchange.apiKey, this.#networkOf(exchange, response));
    if (refusal !== undefined) throw refusal;
  }

  /** Learns from an answer whether its key was valid, and sends it. */
  #conclude(endpoint: Endpoint, exchange: Exchange, response: HttpResponse, reply: Reply): void {
    const { status, cause } = reply;
    if (status === 401 && cause === 'key') {
      if (!exchange.isAborted) {
        this.#throttle.fail(exchange.apiKey, this.#networkOf(exchange, response));
      }
    } else if (status < 400 && endpoint.errorShape === 'organization') {
      this.#throttle.succeed(exchange.apiKey);
    }
    this.#finish(response, exchange, endpoint.name, reply);
  }

  #networkOf(exchange: Exchange, response: HttpResponse): string {
    return this.#addresses.networkOf(response.getRemoteAddress(), exchange.forwardedFor);
  }

  /** What is no plain GET or HEAD: another method, a body, or something to be refused. */
  #serveOther(
    entry: PathEntry,
    exchange: Exchange,
    response: HttpResponse,
    request: HttpRequest,
  ): void {
    const isRead = exchange.method === 'GET' || exchange.isHead;
    const endpoint = isRead ? entry.get : entry.others.get(exchange.method);
    const framing = bodyFraming(request);
    const refusal = refuse(entry, endpoint, exchange, framing);
    exchange.outliveHandler(response);
    // A body without a believable end is not waited for.
    if (framing !== undefined && framing !== 'broken') {
      exchange.body = new RequestBody(response, {
        bytesMax: refusal === undefined ? (endpoint?.bodyBytesMax ?? 0) : 0,
        budget: this.#uploads,
        onComplete: () => exchange.deadline.extendTo(performance.now() + this.#options.timeoutMs),
      });
    }
    if (refusal === undefined && endpoint !== undefined) {
      return this.#run(endpoint, exchange, response);
    }
    const { name, errorShape } = endpoint ?? entry;
    const reply = { ...errorReply(refusal, errorShape, exchange.requestId), closes: true };
    // Deferred: a synchronous closing answer would still run a request pipelined behind this one.
    if (exchange.body === undefined) {
      setImmediate(() => this.#finish(response, exchange, name, reply));
    } else {
      this.#finish(response, exchange, name, reply);
    }
  }

  /** Never rejects. */
  async #finishLater(
    endpoint: Endpoint,
    exchange: Exchange,
    response: HttpResponse,
    promise: Promise<Reply>,
  ): Promise<void> {
    exchange.outliveHandler(response);
    let reply: Reply;
    try {
      reply = await promise;
    } catch (error) {
      reply = errorReply(error, endpoint.errorShape, exchange.requestId);
    }
    this.#conclude(endpoint, exchange, response, reply);
  }

  /** Answers; a body that is still arriving is thrown away first, because a caller reads when it has sent. */
  #finish(response: HttpResponse, exchange: Exchange, route: string, reply: Reply): void {
    const { body } = exchange;
    if (body === undefined || exchange.isAborted) {
      this.#answer(response, exchange, route, reply);
    } else if (body.isComplete) {
      body.release();
      this.#answer(response, exchange, route, reply);
    } else {
      body.drain(() => {
        const closes = reply.closes === true || !body.isComplete;
        this.#answer(response, exchange, route, { ...reply, closes });
      });
    }
  }

  /** Sends, tells, counts. Must not throw: nobody is left to answer for it. */
  #answer(response: HttpResponse, exchange: Exchange, route: string, reply: Reply): void {
    exchange.deadline.clear();
    const status = exchange.isAborted ? 499 : reply.status;
    const closes = this.#isDraining || reply.closes === true;
    try {
      send(response, exchange, reply, closes, this.#onSent);
    } catch (error) {
      this.#options.log.error('send failed', {
        requestId: exchange.requestId,
        detail: errorText(error),
      });
      this.#onSent();
      exchange.outliveHandler(response);
      if (!exchange.isAborted) response.close();
    }
    const ms = performance.now() - exchange.startedMs;
    const { cacheState, cause, detail, notes } = reply;
    this.#options.onRequest({ exchange, route, status, ms, cacheState, cause, detail, notes });
  }

  readonly #onSent = (): void => this.#requests.add(-1);
}

/** The framing of a body; undefined when there is none. */
function bodyFraming(request: HttpRequest): BodyFraming | 'broken' | undefined {
  if (!hasFraming(request)) return undefined;
  const framing = readFraming(request);
  return framing !== 'broken' && framing.length === 0 ? undefined : framing;
}

function createApp(options: ServerOptions): TemplatedApp {
  if (options.tls === undefined) return App();
  return SSLApp({
    cert_file_name: options.tls.certificatePath,
    key_file_name: options.tls.keyPath,
  });
}
