/** Sends one attempt of a message: to a checked address, without redirects, in bounded time and memory. */
import type { ImageLoaderSettings } from '../../images/config.ts';
import {
  checkUrlTarget,
  createAddressGuard,
  isPublicAddress,
  parseHttpUrl,
} from '../../images/fetch/address-guard.ts';
import { createGuardedConnector, createHttpClient } from '../../images/fetch/connect-guarded.ts';
import type { HttpClient } from '../../images/fetch/connect-guarded.ts';
import { toImageError } from '../../images/fetch/receive-body.ts';
import { createHostResolver } from '../../images/fetch/resolve-host.ts';
import { ImageError, secondsText } from '../../images/image-error.ts';
import { signedHeaders } from './message.ts';

/** The settings of image downloads that hold for webhooks too: allowed addresses, ports and name servers. */
export type PostSettings = Pick<
  ImageLoaderSettings,
  'allowedAddresses' | 'allowedPorts' | 'dnsServers'
>;

/** A message and its receiver. */
export interface OutgoingMessage {
  id: string;
  url: string;
  secret: string;
  payload: string;
}

/** The result of an attempt. */
export interface PostOutcome {
  /** Absent without an answer. */
  status?: number;
  /** The first `answerBytesMax` bytes of the answer, as text. */
  answer?: string;
  /** Continues a sentence that starts with the URL; absent after a success. */
  error?: string;
}

export interface MessagePoster {
  /** Throws an `ImageError` for a URL that cannot be sent to. Resolves no names. */
  checkUrl(url: string): void;
  /** Sends a message. Rejects only with the reason of `signal`, when it is aborted. */
  post(message: OutgoingMessage, nowMs: number, signal: AbortSignal): Promise<PostOutcome>;
  close(): Promise<void>;
}

/** Standard Webhooks ask for 15 to 30 s. */
export const postTimeoutMs = 15_000;
const connectTimeoutMs = 5000;

/** Upper bound of the bytes read of an answer: enough for the sentence of an error. */
const answerBytesMax = 1024;

/** All bytes of an answer that are read, with its heads. A socket has up to 64 KiB more when the body has been read. */
const receivedBytesMax = 256 * 1024;

/** Creates a poster with its own connections and name resolver. */
export function createMessagePoster(
  settings: PostSettings,
  timeoutMs: number = postTimeoutMs,
): MessagePoster {
  const guard = createAddressGuard(settings.allowedAddresses);
  const resolver = createHostResolver(settings.dnsServers);
  const connector = createGuardedConnector({ guard, resolver, connectTimeoutMs });
  const client = createHttpClient(connector, receivedBytesMax, { pipelining: 1 });
  const checkedUrl = (text: string): URL => {
    const url = parseHttpUrl(text);
    checkUrlTarget(url, guard, settings.allowedPorts, undefined);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // `checkUrlTarget` accepts a private address only if the operator allows it.
    const isInside = guard.isAllowed(host) && !isPublicAddress(host);
    if (url.protocol === 'https:' || isInside) return url;
    throw new ImageError('url', 'must begin with https://');
  };
  return {
    checkUrl: (url) => void checkedUrl(url),
    async post(message, nowMs, signal) {
      const slow = new AbortController();
      const timer = setTimeout(() => {
        const limit = secondsText(timeoutMs);
        slow.abort(new ImageError('timeout', `did not answer within ${limit}`));
      }, timeoutMs);
      try {
        const url = checkedUrl(message.url);
        const bounded = AbortSignal.any([signal, slow.signal]);
        return await send(await client.load(), { ...message, url }, nowMs, bounded);
      } catch (error) {
        if (signal.aborted) throw error;
        return { error: toImageError(error).message };
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      resolver.close();
      await client.close();
    },
  };
}

async function send(
  { undici, agent }: HttpClient,
  message: Omit<OutgoingMessage, 'url'> & { url: URL },
  nowMs: number,
  signal: AbortSignal,
): Promise<PostOutcome> {
  const { statusCode: status, body } = await undici.request(message.url, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Platen (webhooks)',
      ...signedHeaders(message, message.secret, nowMs),
    },
    body: message.payload,
    signal,
    // Closes the connection, because hours may pass between two messages.
    reset: true,
  });
  const answer = await readStart(body);
  if (status >= 200 && status < 300) return { status, answer };
  const isRedirect = status >= 300 && status < 400;
  const advice = isRedirect ? ', a redirect, which is not followed: give its target' : '';
  return { status, answer, error: `answered ${status}${advice}` };
}

/** The first bytes of a body as text; the rest is not read. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= answerBytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, answerBytesMax).toString('utf8');
}
