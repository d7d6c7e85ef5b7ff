/** The header `Idempotency-Key`: a repeated request takes effect once (draft-ietf-httpapi-idempotency-key-header). */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { AppError } from '../../foundation/errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Reply } from '../../http/reply.ts';
import { whenFree } from '../../store/database/store-error.ts';
import type { EarlierRequest, IdempotencyStore } from '../../store/idempotency-store.ts';

/** Upper bound of a stored answer in UTF-16 units. Answers about a creation are below 4 KiB, and images are above. */
const answerBytesMax = 16_384;

/** Age in ms from which a request without an answer has lost its process: none takes as long, its body included. */
const requestMsMax = 120_000;

/**
 * Returns the answer of `handle`, or of the first request with the same `Idempotency-Key`, API key and content. Only
 * successes are stored: after an error, the next request counts as the first. Rejects with BAD_REQUEST for an invalid
 * key, IDEMPOTENCY_KEY_REUSED for other content, and CONFLICT while the first request has no answer. `savedBody` is the
 * digest of a body that is saved to a file.
 */
export async function answerOnce(
  exchange: Exchange,
  organizationUid: string,
  requests: IdempotencyStore,
  handle: () => Reply | Promise<Reply>,
  savedBody?: Buffer,
): Promise<Reply> {
  const key = parseKey(exchange.idempotencyKey);
  const body = savedBody ?? (await exchange.readBody());
  const head = `${exchange.method} ${exchange.url}\n${exchange.ifMatch}\n`;
  const fingerprint = createHash('sha256').update(head).update(body).digest();
  const keyDigest = hash('sha256', `${exchange.apiKey}\n${key}`, 'buffer');
  const request = { organizationUid, keyDigest, fingerprint };
  const earlier = await whenFree(() => requests.begin(request));
  const secret = Buffer.from(hkdfSync('sha256', exchange.apiKey, key, 'platen answer', 32));
  if (earlier !== undefined) return repeat(earlier, secret);
  let isKept = false;
  try {
    const reply = await handle();
    const text = answerText(reply);
    if (text !== undefined) {
      isKept = true;
      await whenFree(() => requests.finish(keyDigest, encrypt(text, secret))).catch(ignore);
    }
    return reply;
  } finally {
    if (!isKept) await whenFree(() => requests.forget(keyDigest)).catch(ignore);
  }
}

/** A failing disk does not change the answer; the next request with the key is answered as after an interruption. */
const ignore = (): void => undefined;

/** Keys of requests whose bodies this process saves. They are stored only when the content of the body is known. */
const saving = new Set<string>();

/**
 * Calls `handle` at once for a request whose body is saved to a file. Rejects with BAD_REQUEST for an invalid
 * `Idempotency-Key`, and with CONFLICT while this process handles a request with the same key: a repeat takes no slot
 * of its organization, and its body is not saved.
 */
export async function saveOnce(
  { idempotencyKey, apiKey }: Exchange,
  handle: () => Reply | Promise<Reply>,
): Promise<Reply> {
  if (idempotencyKey === '') return handle();
  const digest = hash('sha256', `${apiKey}\n${parseKey(idempotencyKey)}`);
  if (saving.has(digest)) throw inProgress();
  saving.add(digest);
  try {
    return await handle();
  } finally {
    saving.delete(digest);
  }
}

function inProgress(): AppError {
  return new AppError(
    'CONFLICT',
    'A request with this Idempotency-Key is in progress: send it again in a moment',
    { reason: 'idempotency-key', retryAfterSeconds: 1 },
  );
}

/** A string of a structured field (RFC 9651), or its characters without quotes. */
function parseKey(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const key = quoted ?? (header.includes('"') ? '' : header);
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new AppError(
    'BAD_REQUEST',
    'Invalid Idempotency-Key: expected 1 to 255 visible ASCII characters in quotes, such as a UUID',
    { reason: 'idempotency-key' },
  );
}

function repeat({ isEqual, ageMs, answer }: EarlierRequest, secret: Buffer): Reply {
  if (!isEqual) {
    throw new AppError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another request: use a new key for a new request',
      { reason: 'idempotency-key' },
    );
  }
  if (answer !== null) return JSON.parse(decrypt(answer, secret)) as Reply;
  if (ageMs < requestMsMax) throw inProgress();
  throw new AppError(
    'CONFLICT',
    'The first request with this Idempotency-Key was interrupted: check whether it took effect, and use a new key',
    { reason: 'idempotency-key' },
  );
}

/** A success as stored text; undefined for an error, and for an answer that is too large or no text. */
function answerText({ status, headers, body = '', stream }: Reply): string | undefined {
  if (status >= 300 || typeof body !== 'string' || stream !== undefined) return undefined;
  const text = JSON.stringify({
    status,
    headers,
    ...(body === '' ? {} : { body }),
  } satisfies Reply);
  return text.length > answerBytesMax ? undefined : text;
}

// AES-256-GCM: nonce and tag, of their usual lengths, precede the text. Each secret encrypts one answer.

const nonceBytes = 12;
const tagBytes = 16;

function encrypt(text: string, secret: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

function decrypt(answer: Buffer, secret: Buffer): string {
  const nonce = answer.subarray(0, nonceBytes);
  const textStart = nonceBytes + tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', secret, nonce);
  decipher.setAuthTag(answer.subarray(nonceBytes, textStart));
  const text = Buffer.concat([decipher.update(answer.subarray(textStart)), decipher.final()]);
  return text.toString();
}
