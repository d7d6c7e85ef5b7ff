/** The HTTP server: routes, methods, the path of one request, and the graceful shutdown. */
import { performance } from 'node:perf_hooks';
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { errorText } from '#wire/error-text.ts';
import { isPlain, readFraming } from './body/framing.ts';
import { RequestBody } from './body/request-body.ts';
import { UploadBudget } from './body/upload-budget.ts';
import { createClientAddresses, createOriginReader } from './request-origin.ts';
import { Connections, connectionsMaxDefault, OpenCount } from './connections.ts';
import { encodeContent } from './body/content-encoding.ts';
import { CrossOrigin } from './cross-origin.ts';
import { Exchange, type ExchangeServer } from './exchange.ts';
import { CallerLimits } from './caller-limits.ts';
import { createApp, listen, loadAddon, stopListening } from './native.ts';
import { errorReply, type Reply } from './reply.ts';
import { isBodiless, refuse, withUnknownRoute } from './refusal.ts';
import { send } from './respond.ts';
import type { ServerOptions } from './server-options.ts';
import { LateAnswers, TurnBudget } from './turn-budget.ts';
import { UnreadAnswers } from './unread-answers.ts';
import { mergeRoutes, type Endpoint, type PathEntry } from './route.ts';

export type { RequestRecord } from './exchange.ts';
export type { ServerOptions } from './server-options.ts';
export type { Handler, Route } from './route.ts';

export interface Server {
  /** Requests whose response is not sent completely. */
  readonly openRequests: number;
  readonly openConnections: number;
  /** Connections closed at once since the start because there were too many. */
  readonly refusedConnections: number;
  /** Bodies that clients have not read. */
  readonly unread: Pick<UnreadAnswers, 'bytes' | 'closed'>;
  /** Resolves to the port in use. Rejects if the address is not available. */
  listen(): Promise<number>;
  /** From now on every response ends its connection. Resolves when new connections are not accepted any more. */
  drain(): Promise<void>;
  /** Resolves when every request is answered to the last byte, or after `timeoutMs`. */
  idle(timeoutMs: number): Promise<void>;
  /** To be called after `drain`. Resolves when every client has disconnected, idle ones too, or after `timeoutMs`. */
  left(timeoutMs: number): Promise<void>;
  /** Closes every connection. */
  close(): void;
}

/** Creates a server that does not listen yet. */
export function createServer(options: ServerOptions): Server {
  return new AddonServer(options);
}

class AddonServer implements Server {
  readonly #options: ServerOptions;
  readonly #app: TemplatedApp;
  readonly #uploads = new UploadBudget();
  readonly #limits = new CallerLimits();
  readonly #facts: ExchangeServer;
  readonly #crossOrigin: CrossOrigin;
  #listenSocket: us_listen_socket | undefined;
  readonly #requests = new OpenCount();
  readonly #turn = new TurnBudget();
  readonly #lateAnswers = new LateAnswers();
  readonly #connections: Connections;
  readonly unread: UnreadAnswers;
  #isDraining = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#app = createApp(options.tls);
    const addresses = createClientAddresses(options.trustedProxies ?? []);
    const originOf = createOriginReader(options.tls !== undefined);
    this.#facts = { timeoutMs: options.timeoutMs, originOf, addresses };
    this.#crossOrigin = new CrossOrigin(options.corsOrigins ?? []);
    const { connectionsMax = connectionsMaxDefault, log } = options;
    this.unread = options.unread ?? new UnreadAnswers();
    this.#connections = new Connections(connectionsMax, log);
    this.#app.filter((response, change) => this.#connections.change(response, Number(change)));
    for (const entry of mergeRoutes(withUnknownRoute(options.routes))) {
      // The addon finds a specific route sooner. It dispatches by `get` for GET, so the method is read here too.
      const serve = (response: HttpResponse, request: HttpRequest): void =>
        this.#serve(entry, request.getCaseSensitiveMethod(), response, request);
      this.#app.get(entry.path, serve);
      this.#app.any(entry.path, serve);
    }
  }

  get openRequests(): number {
    return this.#requests.count;
  }

  get openConnections(): number {
    return this.#connections.openCount;
  }

  get refusedConnections(): number {
    return this.#connections.refusedCount;
  }

  async listen(): Promise<number> {
    const { host, port, sharesPort } = this.#options;
    const socket = await listen(this.#app, host, port, sharesPort === true);
    this.#listenSocket = socket;
    return loadAddon().addon.us_socket_local_port(socket);
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

  #serve(entry: PathEntry, method: string, response: HttpResponse, request: HttpRequest): void {
    const exchange = new Exchange(request, response, method, entry.positions, this.#facts);
    this.#requests.add(1);
    this.#turn.count(exchange.startedMs);
    const isRead = method === 'GET' || exchange.isHead;
    if (isRead && entry.get !== undefined && isPlain(request)) {
      this.#run(entry.get, exchange, response);
    } else {
      this.#serveOther(entry, exchange, response, request);
    }
  }

  #run(endpoint: Endpoint, exchange: Exchange, response: HttpResponse): void {
    let reply: Reply;
    try {
      const { rate } = endpoint;
      if (rate !== undefined && this.#options.limitsAddresses !== false) {
        this.#limits.count(rate, exchange.networkOf(response));
      }
      const answer = endpoint.handler(exchange);
      if (answer instanceof Promise) {
        return void this.#finishLater(endpoint, exchange, response, answer);
      }
      reply = answer;
    } catch (error) {
      reply = errorReply(error, endpoint.errorShape, exchange.requestId);
    }
    this.#conclude(endpoint, exchange, response, reply);
  }

  /** Sends a response. A caller without a valid key may get 429 or 503 in its place. */
  #conclude(endpoint: Endpoint, exchange: Exchange, response: HttpResponse, reply: Reply): void {
    if (reply.status !== 401 || reply.cause !== 'key' || exchange.isAborted) {
      return this.#encode(endpoint, exchange, response, reply);
    }
    const network = exchange.networkOf(response);
    exchange.outliveHandler(response);
    void this.#limits
      .admitRefusal(network, exchange.apiKey)
      .then(() => reply)
      .catch((error: unknown) => errorReply(error, endpoint.errorShape, exchange.requestId))
      .then((answer) => this.#encode(endpoint, exchange, response, answer));
  }

  #encode({ name }: Endpoint, exchange: Exchange, response: HttpResponse, reply: Reply): void {
    const encoded = encodeContent(exchange, reply);
    if (!(encoded instanceof Promise)) {
      return this.#finish(response, exchange, name, encoded);
    }
    exchange.outliveHandler(response);
    void encoded.then((each) => this.#finish(response, exchange, name, each));
  }

  /** Serves all requests except a plain GET or HEAD: other methods, bodies, and requests to refuse. */
  #serveOther(
    entry: PathEntry,
    exchange: Exchange,
    response: HttpResponse,
    request: HttpRequest,
  ): void {
    const isRead = exchange.method === 'GET' || exchange.isHead;
    const endpoint = isRead ? entry.get : entry.others.get(exchange.method);
    const framing = readFraming(request);
    const refusal = refuse(entry, endpoint, exchange, framing);
    exchange.outliveHandler(response);
    // A body without a trustworthy end is not awaited.
    if (typeof framing === 'object') {
      exchange.body = new RequestBody(response, {
        bytesMax: refusal === undefined ? (endpoint?.bodyBytesMax ?? 0) : 0,
        announcedBytes: framing.length,
        budget: this.#uploads,
        organizationOf: () => exchange.organizationUid,
        onComplete: () => exchange.deadline.extendTo(performance.now() + this.#options.timeoutMs),
      });
    }
    if (refusal === undefined && endpoint !== undefined) {
      return this.#run(endpoint, exchange, response);
    }
    const { name, errorShape } = endpoint ?? entry;
    // A body of a method without one, or without a clear end, may hide a request from a proxy.
    const closes = typeof framing === 'string' || (framing !== undefined && isBodiless(exchange));
    const preflight = this.#crossOrigin.preflight(entry, exchange, refusal);
    const reply = preflight ?? errorReply(refusal, errorShape, exchange.requestId);
    this.#finish(response, exchange, name, { ...reply, closes });
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
    this.#lateAnswers.run(() => this.#conclude(endpoint, exchange, response, reply));
  }

  /**
   * Answers. The rest of an incoming body is discarded first, because a client reads the response after it has sent its
   * request.
   */
  #finish(response: HttpResponse, exchange: Exchange, route: string, reply: Reply): void {
    const { body } = exchange;
    if (body === undefined || exchange.isAborted) {
      this.#answerInTurn(response, exchange, route, reply);
    } else if (body.isComplete) {
      body.release();
      const closes = reply.closes === true || body.isChunked;
      this.#answerInTurn(response, exchange, route, { ...reply, closes });
    } else {
      body.drain(() => {
        const closes = reply.closes === true || body.isChunked || !body.isComplete;
        this.#answerInTurn(response, exchange, route, { ...reply, closes });
      });
    }
  }

  /**
   * Answers at once, before the parser reaches a pipelined request: the parser ends the connection if the previous
   * request is not answered by then. A response that closes the connection waits for the next turn, because a pipelined
   * request would still run. So does a late response, because thousands of pipelined requests must not hold the turn.
   */
  #answerInTurn(response: HttpResponse, exchange: Exchange, route: string, reply: Reply): void {
    if (reply.closes !== true && !this.#turn.isLate(exchange.startedMs)) {
      return this.#answer(response, exchange, route, reply);
    }
    exchange.outliveHandler(response);
    setImmediate(() => this.#answer(response, exchange, route, reply));
  }

  /**
   * Sends the response, reports the request and updates the counts. Must not throw: there is no caller to handle it.
   */
  #answer(response: HttpResponse, exchange: Exchange, route: string, reply: Reply): void {
    exchange.endDeadline();
    const status = exchange.isAborted ? 499 : reply.status;
    const closes = this.#isDraining || reply.closes === true;
    try {
      // A large answer cannot close the connection: nothing more is read, and it ends 8 to 12 s later.
      if (exchange.body?.isChunked === true && !exchange.isAborted) response.pause();
      const shared = this.#crossOrigin.share(exchange, reply);
      send(response, exchange, shared, { closes, unread: this.unread, onSent: this.#onSent });
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
    const { cacheState, code, cause, detail, notes } = reply;
    const record = { exchange, route, status, ms, cacheState, code, cause, detail, notes };
    this.#options.onRequest(record);
  }

  readonly #onSent = (): void => this.#requests.add(-1);
}
