/** Fetches one URL over HTTP. Follows redirects itself: checks every hop, and bounds time, bytes and connections. */
import type { Dispatcher } from 'undici';
import { errorCodeOf } from '../../foundation/errors.ts';
import { loopToken } from '../../foundation/product.ts';
import { createAddressGuard, checkListedHost, checkUrlTarget, hostName } from './address-guard.ts';
import {
  ByteBudget,
  plainBody,
  receiveBody,
  tooLarge,
  redirectTarget,
  statusError,
  toImageError,
} from './receive-body.ts';
import type { ByteOwner } from './receive-body.ts';
import { createGuardedConnector, createHttpClient } from './connect-guarded.ts';
import type { GuardedConnector, HttpClient, LazyHttpClient } from './connect-guarded.ts';
import { organizationSlots, requesterKeys, templateSlots } from '../turns.ts';
import type { ImageRequester } from '../turns.ts';
import { HostCircuit, HopTimes } from './host-circuit.ts';
import { ImageError, secondsText } from '../image-error.ts';
import type { ImageLoaderSettings } from '../config.ts';
import { createHostResolver } from './resolve-host.ts';

/** Headers of an answer, with lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Data for a conditional request: the headers of a copy, and the address that sent them. */
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
  /** The requester whose shares of all bytes in flight the body counts in. */
  requester: ImageRequester;
  validator: Validator | undefined;
  /** The only hosts that any hop may request; undefined: any. */
  hosts: readonly string[] | undefined;
  /** Aborts the fetch; its reason is the error. */
  signal: AbortSignal;
  /**
   * Returns the number of bytes to read, from the first bytes (512, or all if fewer). The rest of the body is dropped
   * without an error.
   */
  bytesWanted: (head: Uint8Array, url: URL) => number;
}

/** Fetches files by HTTP. */
export interface ImageFetcher {
  /** Rejects with an `ImageError`; `not_image` and `decode` only for the compression of the body. */
  fetchFile(target: FetchTarget): Promise<FetchedFile>;
  /** Throws an `ImageError` `blocked` for a URL whose address or port `fetchFile` would reject; sends nothing. */
  checkTarget(url: URL): void;
  close(): Promise<void>;
}

/** How long an idle connection is kept for the next image of its host; emails open in bursts of seconds. */
const keepAliveMs = 10_000;
/** Share of all bytes in flight that one host may hold, so that a stalled origin leaves capacity for the others. */
const hostShare = 1 / 4;
/**
 * Open sockets per allowed fetch, above which requests close their connection: links to ever new hosts must not
 * accumulate idle connections.
 */
const socketsKeptRatio = 2;
/** All bytes of an answer: its body in the smallest chunks, and its heads. */
const framedRatioMax = 1.25;
const headBytesMax = 256 * 1024;
/** Bytes read of an answer without an image (redirect, error), to keep its connection usable. */
const dumpBytesMax = 16 * 1024;
/** How long that may take; a slower connection is not worth keeping. */
const dumpTimeMs = 500;

const requestHeaders = {
  // Formats that decode fastest first. The bytes of the body decide the format, not the content type of the answer.
  accept: 'image/png,image/jpeg,image/webp,image/*;q=0.8,*/*;q=0.5',
  'accept-encoding': 'identity',
  'user-agent': 'Platen (image loader)',
  'cdn-loop': loopToken,
};

/** Creates a fetcher with its own connections, name resolver and memory of failing hosts. */
export function createImageFetcher(settings: ImageLoaderSettings): ImageFetcher {
  const guard = createAddressGuard(settings.allowedAddresses);
  const resolver = createHostResolver(settings.dnsServers);
  const connector = createGuardedConnector({ ...settings, guard, resolver });
  const circuit = new HostCircuit(settings);
  const budget = new ByteBudget(settings.bytesInFlightMax);
  const answerBytesMax = settings.sourceBytesMax * framedRatioMax + headBytesMax;
  const client = createHttpClient(connector, answerBytesMax, {
    connections: settings.fetchesPerHostMax,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // Off: undici's timers are coarse, and the fetcher has exact ones.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const checkTarget = (url: URL): void =>
    checkUrlTarget(url, guard, settings.allowedPorts, settings.serviceUrl);
  const askHop = createHop(settings, client, connector);

  return {
    checkTarget,
    async fetchFile(target) {
      let url = target.url;
      const hopTimes = new HopTimes();
      for (let hop = 0; hop <= settings.redirectsMax; hop++) {
        checkListedHost(url, target.hosts);
        checkTarget(url);
        const host = circuitKey(url, target.requester);
        circuit.checkHost(host);
        hopTimes.start(host);
        try {
          const answer = await askHop(url, target);
          const next = redirectTarget(answer, url);
          if (next === undefined) {
            const file = await receiveFile(answer, url, target, settings, budget);
            circuit.recordSuccess(host);
            return file;
          }
          circuit.recordSuccess(host);
          dropBody(answer);
          url = next;
        } catch (error) {
          const failure = toImageError(error);
          // After the total time-out, the host that used most of the time counts as failed, not the last one.
          const isOutOfTime = failure === target.signal.reason;
          const slow = hopTimes.longest(settings.totalTimeoutMs / 2);
          noteFailure(circuit, isOutOfTime ? slow : host, failure);
          throw failure;
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

type Answer = Dispatcher.ResponseData;

/** Requests one URL. Resolves with the head of the answer; rejects if it takes longer than `firstByteTimeoutMs`. */
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
 * Whether a reused connection ended without an answer to this request. Servers may close an idle connection while
 * the next request is on its way, so the request is sent once more (RFC 9112 section 9.3.1). A new connection that
 * ends at once is not retried: this would double the cost of a hostile origin.
 */
function isKeptConnectionClosed(
  error: unknown,
  { errors }: HttpClient['undici'],
  connector: GuardedConnector,
): boolean {
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0;
  const code = errorCodeOf(error);
  if (code !== 'ECONNRESET' && code !== 'EPIPE') return false;
  return connector.isFromUsedSocket(error as Error);
}

/** Sends validators only to the address that they came from: an equal ETag of another host is another image. */
function conditions(url: URL, validator: Validator | undefined): Record<string, string> {
  if (validator?.url !== url.href) return {};
  const { etag, 'last-modified': lastModified } = validator.headers;
  if (typeof etag === 'string') return { 'if-none-match': etag };
  return typeof lastModified === 'string' ? { 'if-modified-since': lastModified } : {};
}

async function receiveFile(
  answer: Answer,
  url: URL,
  target: FetchTarget,
  settings: ImageLoaderSettings,
  budget: ByteBudget,
): Promise<FetchedFile> {
  const { statusCode, headers } = answer;
  const bytesMax = settings.sourceBytesMax;
  if (statusCode === 304 && target.validator?.url === url.href) {
    dropBody(answer);
    return { status: 304, url, headers, bytes: new Uint8Array(new SharedArrayBuffer(0)) };
  }
  if (statusCode !== 200) {
    dropBody(answer);
    throw statusError(statusCode);
  }
  const body = plainBody(answer.body, String(headers['content-encoding'] ?? ''), bytesMax);
  if (body === undefined) {
    dropBody(answer);
    throw new ImageError(
      'not_image',
      'is sent compressed in a way that its server was not asked for',
    );
  }
  // Before the first byte of the body: an origin that announces a large body and stalls would hold its fetch slot.
  if (Number(headers['content-length'] ?? 0) > bytesMax) {
    answer.body.destroy();
    throw tooLarge(bytesMax);
  }
  const bytes = await receiveBody(body, {
    bytesMax,
    bytesWanted: (head) => target.bytesWanted(head, url),
    budget,
    owners: bodyOwners(url, target.requester, settings),
  });
  return { status: 200, url, headers, bytes };
}

/** The shares of all bytes in flight in which a body counts. Each share has capacity for at least one source. */
function bodyOwners(
  url: URL,
  requester: ImageRequester,
  { bytesInFlightMax, sourceBytesMax }: ImageLoaderSettings,
): ByteOwner[] {
  const [organization, template] = requesterKeys(requester);
  const slots: [key: string, bytesMax: number][] = [
    [`host ${hostName(url)}`, bytesInFlightMax * hostShare],
    [template, templateSlots(bytesInFlightMax)],
    [organization, organizationSlots(bytesInFlightMax)],
  ];
  return slots.map(([key, bytesMax]) => ({ key, bytesMax: Math.max(bytesMax, sourceBytesMax) }));
}

/** Reads the rest of a short body in the background, so that the connection can be used again. */
function dropBody(answer: Answer): void {
  const signal = AbortSignal.timeout(dumpTimeMs);
  answer.body.dump({ limit: dumpBytesMax, signal }).catch(() => undefined);
}

/** Records a failure in the circuit of `host`; `host` is undefined if no host caused the failure. */
function noteFailure(circuit: HostCircuit, host: string | undefined, error: ImageError): void {
  if (host === undefined) return;
  const isHostsFault =
    ['timeout', 'network', 'dns'].includes(error.reason) || (error.status ?? 0) >= 500;
  if (isHostsFault) circuit.recordFailure(host);
  // Any other answer shows that the host works. `overloaded` is a limit of this service.
  else if (error.reason !== 'overloaded') circuit.recordSuccess(host);
}

/**
 * The key of a circuit: organization, scheme, host and port. Each organization has its own circuits: its failing links
 * must not block the host for other organizations.
 */
function circuitKey(url: URL, { organizationUid }: ImageRequester): string {
  return `${organizationUid} ${url.protocol}//${hostName(url)}:${url.port}`;
}
