/** Fetches one URL over HTTP, redirects followed by hand, every hop checked and every cost bounded. */
import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { createAddressGuard } from './address-guard.ts';
import { ByteBudget } from './byte-collector.ts';
import { createGuardedConnector } from './connect-guarded.ts';
import type { GuardedConnector } from './connect-guarded.ts';
import { checkListedHost } from './host-list.ts';
import { HostCircuit } from './host-circuit.ts';
import { createHttpClient } from './http-client.ts';
import type { HttpClient, LazyHttpClient } from './http-client.ts';
import { ImageError, secondsText } from './image-error.ts';
import type { ImageLoaderSettings } from './loader-options.ts';
import { inflateBody, receiveBody } from './receive-body.ts';
import { createHostResolver } from './resolve-host.ts';
import { isSignIn, shareAdvice } from './share-links.ts';
import { checkUrlTarget, parseHttpUrl } from './source-url.ts';

/** An answer's head, lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What makes a request conditional: the headers of a copy, and the address that sent them. */
export interface Validator {
  url: string;
  headers: AnswerHeaders;
}

/** A final answer: 200 with the bytes, or 304 with none. */
export interface FetchedFile {
  status: 200 | 304;
  /** The address that answered, after redirects. */
  url: URL;
  headers: AnswerHeaders;
  bytes: Uint8Array<SharedArrayBuffer>;
}

export interface FetchTarget {
  url: URL;
  validator: Validator | undefined;
  /** The only hosts that may be asked, at every hop; undefined: any. */
  hosts: readonly string[] | undefined;
  /** Ends the fetch, with its reason. */
  signal: AbortSignal;
  /**
   * Looks at the first bytes (512, or all when there are fewer) and says how many are worth
   * reading; from there on the body is dropped without an error.
   */
  bytesWanted: (head: Uint8Array, url: URL) => number;
}

/** Fetches files by HTTP. */
export interface ImageFetcher {
  /** Rejects with an `ImageError` of any reason but `not_image` and `decode`. */
  fetchFile(target: FetchTarget): Promise<FetchedFile>;
  /** Refuses what `fetchFile` would refuse at once for its address or port, without asking anyone. */
  checkTarget(url: URL): void;
  close(): Promise<void>;
}

/** Idle connections kept for the next picture of the same host; mails open in bursts of seconds. */
const keepAliveMs = 10_000;
/** Sockets, as a multiple of the fetches at a time, above which answers end their connection: links to ever new hosts must not pile up idle ones. */
const socketsKeptRatio = 2;
/** What is read of an answer without a picture (redirect, error) to keep its connection usable. */
const dumpBytesMax = 16 * 1024;
/** And for how long; a connection that is slower than this is not worth keeping. */
const dumpTimeMs = 500;

const requestHeaders = {
  // Formats that decode fastest first; the body decides, not the answer's content type.
  accept: 'image/png,image/jpeg,image/webp,image/*;q=0.8,*/*;q=0.5',
  'accept-encoding': 'identity',
  'user-agent': 'Platen (image loader)',
};

/** Creates a fetcher with its own connections, name resolver and memory of failing hosts. */
export function createImageFetcher(settings: ImageLoaderSettings): ImageFetcher {
  const guard = createAddressGuard(settings.allowedAddresses);
  const resolver = createHostResolver(settings.dnsServers);
  const connector = createGuardedConnector({ ...settings, guard, resolver });
  const circuit = new HostCircuit(settings);
  const budget = new ByteBudget(settings.bytesInFlightMax);
  const client = createHttpClient({
    connections: settings.fetchesPerHostMax,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // Exact timers of our own stand in for these coarse ones.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => void openSocket(connector, target, callback),
  });
  const checkTarget = (url: URL): void => checkUrlTarget(url, guard, settings.allowedPorts);
  const askHop = createHop(settings, client, connector);

  return {
    checkTarget,
    async fetchFile(target) {
      let url = target.url;
      for (let hop = 0; hop <= settings.redirectsMax; hop++) {
        checkListedHost(url, target.hosts);
        checkTarget(url);
        circuit.checkHost(url.host);
        try {
          const answer = await askHop(url, target);
          const next = redirectTarget(answer, url);
          if (next === undefined) {
            const file = await receiveFile(answer, url, target, settings.sourceBytesMax, budget);
            circuit.recordSuccess(url.host);
            return file;
          }
          circuit.recordSuccess(url.host);
          dropBody(answer);
          url = next;
        } catch (error) {
          throw noteFailure(circuit, url.host, toImageError(error));
        }
      }
      throw new ImageError('redirect', `is redirected more than ${settings.redirectsMax} times`);
    },
    async close() {
      resolver.close();
      await client.close();
    },
  };
}

async function openSocket(
  connector: GuardedConnector,
  target: buildConnector.Options,
  callback: buildConnector.Callback,
): Promise<void> {
  let socket: Socket;
  try {
    socket = await connector.connect(target);
  } catch (error) {
    callback(toImageError(error), null);
    return;
  }
  callback(null, socket);
}

type Answer = Dispatcher.ResponseData;

/** Asks for one URL; resolves with the answer's head, in `firstByteTimeoutMs` or not at all. */
function createHop(
  settings: ImageLoaderSettings,
  client: LazyHttpClient,
  connector: GuardedConnector,
): (url: URL, target: FetchTarget) => Promise<Answer> {
  return async (url, { signal, validator }) => {
    const { undici, agent } = await client.load();
    const slow = new AbortController();
    const timer = setTimeout(() => {
      const limit = secondsText(settings.firstByteTimeoutMs);
      slow.abort(new ImageError('timeout', `could not be reached within ${limit}`));
    }, settings.firstByteTimeoutMs);
    const ask = (): Promise<Answer> =>
      undici.request(url, {
        dispatcher: agent,
        method: 'GET',
        headers: { ...requestHeaders, ...conditions(url, validator) },
        signal: AbortSignal.any([signal, slow.signal]),
        reset: connector.openSockets >= socketsKeptRatio * settings.fetchesMax,
      });
    try {
      return await ask().catch((error: unknown) => {
        if (isKeptConnectionClosed(error, undici, connector)) return ask();
        throw error;
      });
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Whether a connection that had served before ended without an answer to this request. Servers close idle
 * connections whenever they like, also while the next request is on its way, so that one more try is due
 * (RFC 9112 section 9.3.1). A new one that ends at once will do so again: its second try would only
 * double what a hostile origin costs.
 */
function isKeptConnectionClosed(
  error: unknown,
  { errors }: HttpClient['undici'],
  connector: GuardedConnector,
): boolean {
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ECONNRESET' && code !== 'EPIPE') return false;
  return connector.isFromUsedSocket(error as Error);
}

/** Validators go only to the address they came from: another host's equal ETag is another picture. */
function conditions(url: URL, validator: Validator | undefined): Record<string, string> {
  if (validator?.url !== url.href) return {};
  const { etag, 'last-modified': lastModified } = validator.headers;
  if (typeof etag === 'string') return { 'if-none-match': etag };
  return typeof lastModified === 'string' ? { 'if-modified-since': lastModified } : {};
}

function redirectTarget(answer: Answer, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(answer.statusCode)) return undefined;
  const location = answer.headers.location;
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

async function receiveFile(
  answer: Answer,
  url: URL,
  target: FetchTarget,
  bytesMax: number,
  budget: ByteBudget,
): Promise<FetchedFile> {
  const { statusCode, headers } = answer;
  if (statusCode === 304 && target.validator?.url === url.href) {
    dropBody(answer);
    return { status: 304, url, headers, bytes: new Uint8Array(new SharedArrayBuffer(0)) };
  }
  if (statusCode !== 200) {
    dropBody(answer);
    throw statusError(statusCode);
  }
  const body = plainBody(answer, bytesMax);
  if (body === undefined) {
    dropBody(answer);
    throw new ImageError(
      'not_image',
      'is sent compressed in a way that its server was not asked for',
    );
  }
  const bytes = await receiveBody(body, {
    announcedBytes: body === answer.body ? Number(headers['content-length'] ?? 0) : 0,
    bytesMax,
    bytesWanted: (head) => target.bytesWanted(head, url),
    budget,
  });
  return { status: 200, url, headers, bytes };
}

/** The body without its compression; undefined when that is of an unknown kind. */
function plainBody(answer: Answer, bytesMax: number): AsyncIterable<Uint8Array> | undefined {
  const encoding = String(answer.headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  if (encoding === '' || encoding === 'identity') return answer.body;
  return inflateBody(answer.body, encoding, bytesMax);
}

/** Reads a short rest in the background, so that the connection can be used again. */
function dropBody(answer: Answer): void {
  const signal = AbortSignal.timeout(dumpTimeMs);
  answer.body.dump({ limit: dumpBytesMax, signal }).catch(() => undefined);
}

function statusError(status: number): ImageError {
  const message =
    status === 404 || status === 410
      ? `was not found at its address (status ${status})`
      : status === 401 || status === 403
        ? `is not publicly accessible (status ${status})`
        : `could not be fetched: its server answered with status ${status}`;
  return new ImageError('status', message, { status });
}

/** What undici and the sockets throw, as an `ImageError`. */
function toImageError(error: unknown): ImageError {
  if (error instanceof ImageError) return error;
  // Its code differs from mistake to mistake and is missing for some.
  const isParserError = error instanceof Error && error.name === 'HTTPParserError';
  const message = isParserError
    ? 'could not be fetched: its server does not answer in HTTP'
    : 'could not be fetched: the connection ended early';
  return new ImageError('network', message, { cause: error });
}

function noteFailure(circuit: HostCircuit, host: string, error: ImageError): ImageError {
  const isHostsFault =
    ['timeout', 'network', 'dns'].includes(error.reason) || (error.status ?? 0) >= 500;
  if (isHostsFault) circuit.recordFailure(host);
  // Being refused for what it sends is a sign of life; being too busy here says nothing.
  else if (error.reason !== 'overloaded') circuit.recordSuccess(host);
  return error;
}
