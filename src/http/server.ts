/** The HTTP server: routes, methods, the life of one request, and the orderly end. */
import type { HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { AppError } from '../errors.ts';
import { errorText, type Log } from '../log.ts';
import { announcesBody, Exchange } from './exchange.ts';
import { App, SSLApp, us_listen_socket_close, us_socket_local_port } from './native.ts';
import { errorReply, type CacheState, type ErrorShape, type Reply } from './reply.ts';
import { send } from './respond.ts';

/** Answers a request. A throw or rejection becomes an error body; answering at once saves the hit path a turn. */
export type Handler = (exchange: Exchange) => Reply | Promise<Reply>;

/** One known path. HEAD is allowed wherever GET is. */
export interface Route {
  /** For the log and the metrics. */
  name: string;
  /** With at most one `:parameter`, a whole segment. */
  path: string;
  get: Handler;
  errorShape: ErrorShape;
}

/** What is told of a finished request; `status` 499 means that the caller left before the answer. */
export interface RequestRecord {
  exchange: Exchange;
  route: string;
  status: number;
  ms: number;
  cacheState: CacheState | undefined;
  cause: string | undefined;
  detail: string | undefined;
}

export interface ServerOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** PEM files; absent: plain HTTP. */
  tls?: { certificatePath: string; keyPath: string };
  /** The deadline of each request. */
  timeoutMs: number;
  routes: readonly Route[];
  /** Called after each request; must not throw. */
  onRequest: (record: RequestRecord) => void;
  log: Log;
}

export interface Server {
  /** Resolves to the port in use. Rejects when the address cannot be had. */
  listen(): Promise<number>;
  /** From now on every answer ends its connection, and no new connection is accepted. */
  drain(): void;
  /** Resolves when every request is answered to the last byte, or after `timeoutMs`. */
  idle(timeoutMs: number): Promise<void>;
  /** Closes every connection. */
  close(): void;
}

/** The pattern of everything that no route knows. */
const unknownPath = '/*';

const allowedMethods = 'GET, HEAD';

/** Creates a server that does not listen yet. */
export function createServer(options: ServerOptions): Server {
  return new AddonServer(options);
}

class AddonServer implements Server {
  readonly #options: ServerOptions;
  readonly #app: TemplatedApp;
  #listenSocket: us_listen_socket | undefined;
  #openRequests = 0;
  #isDraining = false;
  #onIdle: (() => void) | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#app = createApp(options);
    for (const route of [...options.routes, unknownRoute]) {
      const parameterStart = route.path.indexOf(':');
      this.#app.any(route.path, (response, request) => {
        const exchange = new Exchange(request, parameterStart, options.timeoutMs);
        this.#serve(route, exchange, response, announcesBody(request));
      });
    }
  }

  async listen(): Promise<number> {
    const socket = await listen(this.#app, this.#options.host, this.#options.port);
    this.#listenSocket = socket;
    return us_socket_local_port(socket);
  }

  drain(): void {
    this.#isDraining = true;
    if (this.#listenSocket !== undefined) us_listen_socket_close(this.#listenSocket);
    this.#listenSocket = undefined;
  }

  idle(timeoutMs: number): Promise<void> {
    if (this.#openRequests === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  close(): void {
    this.#app.close();
  }

  #serve(route: Route, exchange: Exchange, response: HttpResponse, hasBody: boolean): void {
    this.#openRequests += 1;
    try {
      const refusal = refuse(route, exchange, hasBody);
      if (refusal !== undefined) {
        exchange.outliveHandler(response);
        const reply = errorReply(refusal, route.errorShape, exchange.requestId);
        // Deferred: a synchronous closing answer would still run a request pipelined behind this one.
        setImmediate(() =>
          this.#finish(response, exchange, route.name, { ...reply, closes: true }),
        );
        return;
      }
      const reply = route.get(exchange);
      if (reply instanceof Promise) void this.#finishLater(route, exchange, response, reply);
      else this.#finish(response, exchange, route.name, reply);
    } catch (error) {
      const reply = errorReply(error, route.errorShape, exchange.requestId);
      this.#finish(response, exchange, route.name, reply);
    }
  }

  /** Never rejects. */
  async #finishLater(
    route: Route,
    exchange: Exchange,
    response: HttpResponse,
    promise: Promise<Reply>,
  ): Promise<void> {
    exchange.outliveHandler(response);
    let reply: Reply;
    try {
      reply = await promise;
    } catch (error) {
      reply = errorReply(error, route.errorShape, exchange.requestId);
    }
    this.#finish(response, exchange, route.name, reply);
  }

  /** Sends, tells, counts. Must not throw: nobody is left to answer for it. */
  #finish(response: HttpResponse, exchange: Exchange, route: string, reply: Reply): void {
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
      this.#leave();
      exchange.outliveHandler(response);
      if (!exchange.isAborted) response.close();
    }
    const ms = performance.now() - exchange.startedMs;
    const { cacheState, cause, detail } = reply;
    this.#options.onRequest({ exchange, route, status, ms, cacheState, cause, detail });
  }

  readonly #onSent = (): void => this.#leave();

  #leave(): void {
    this.#openRequests -= 1;
    if (this.#openRequests === 0) this.#onIdle?.();
  }
}

/** What speaks against a request before any handler sees it. */
function refuse(route: Route, exchange: Exchange, hasBody: boolean): AppError | undefined {
  const isRead = exchange.method === 'GET' || exchange.isHead;
  if (isRead && hasBody) {
    return new AppError('BAD_REQUEST', 'A GET or HEAD request has no body; send it without one.', {
      reason: 'body',
    });
  }
  if (isRead || route === unknownRoute) return undefined;
  return new AppError('METHOD_NOT_ALLOWED', `This address answers ${allowedMethods} only.`, {
    allow: allowedMethods,
    reason: 'method',
  });
}

const unknownRoute: Route = {
  name: 'unknown',
  path: unknownPath,
  get: () => {
    throw new AppError('NOT_FOUND', 'There is nothing at this address; check the path.', {
      reason: 'path',
    });
  },
  errorShape: 'render',
};

function createApp(options: ServerOptions): TemplatedApp {
  if (options.tls === undefined) return App();
  return SSLApp({
    cert_file_name: options.tls.certificatePath,
    key_file_name: options.tls.keyPath,
  });
}

/** The addon takes an option between port and callback; its own types know that only without a host. */
interface OptionListener {
  listen(
    host: string,
    port: number,
    option: number,
    onListen: (socket: us_listen_socket | false) => void,
  ): void;
}

/** Option of the socket library: fail when the port is taken, instead of sharing it with a stranger. */
const exclusivePort = 1;

function listen(app: TemplatedApp, host: string, port: number): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    const onListen = (socket: us_listen_socket | false): void => {
      if (socket !== false) return resolve(socket);
      reject(
        new Error(
          `Cannot listen on ${host}, port ${port}: it is in use or not permitted. Choose another with PLATEN_PORT, or stop the process that holds it.`,
        ),
      );
    };
    (app as unknown as OptionListener).listen(host, port, exclusivePort, onListen);
  });
}
