/** Who is signed in: a key that lives as long as its tab, never in an address and never on disk. */
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { PlatenClient } from '../client/platen-client.ts';
import { linkBase } from '../pages/public-address.ts';
import { statusOf } from './wording.ts';
import type { Service } from './state/service.ts';
import { uploadFetch } from './state/uploads.ts';

/** A signed-in organization. */
export interface Session {
  service: Service;
  organization: string;
}

const storageKey = 'platen-studio-key';

/** `undefined` while a kept key is being checked, `null` when nobody is signed in. */
const current = signal<Session | null | undefined>(undefined);

/** Who is signed in now. */
export const session: ReadonlySignal<Session | null | undefined> = current;

/** Why somebody who was signed in is not any more; undefined otherwise. */
export const signedOutBecause = signal<string | undefined>(undefined);

/** Signs in with a key. Rejects like the client when the service does not take it. */
export async function signIn(key: string): Promise<void> {
  const { origin, pathname } = globalThis.location;
  // The service may be below a path of a proxy: its own address is what stands before `studio`.
  const baseUrl = `${origin}${pathname.replace(/\/studio\/?$/, '')}`;
  const client = new PlatenClient({ baseUrl, apiKey: key, fetch: watchedFetch });
  const { organization } = await client.validateOrganization();
  sessionStorage.setItem(storageKey, key);
  signedOutBecause.value = undefined;
  const load: Service['load'] = (path, init) => {
    const headers = new Headers(init?.headers);
    headers.set('X-API-Key', key);
    return watchedFetch(baseUrl + path, { ...init, headers });
  };
  const service: Service = { client, load, base: publicBase(baseUrl) };
  current.value = { service, organization: organization.name };
}

/** Forgets the key. */
export function signOut(reason?: string): void {
  sessionStorage.removeItem(storageKey);
  signedOutBecause.value = reason;
  current.value = null;
}

/** Signs in with the key of this tab, when there is one. Never rejects. */
export async function resumeSession(): Promise<void> {
  const key = sessionStorage.getItem(storageKey);
  if (key === null) {
    current.value = null;
    return;
  }
  try {
    await signIn(key);
  } catch (error) {
    if (statusOf(error) === 401) signOut('The key is no longer valid. Sign in with another one.');
    else {
      signedOutBecause.value = 'The service does not answer. Try again in a moment.';
      current.value = null;
    }
  }
}

/** A key that was revoked meanwhile leads back to the sign-in; what was not saved stays in the tab until it is closed. */
async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await patientFetch(uploadFetch, input, init);
  if (response.status === 401 && current.value) {
    signOut('The key is no longer valid. Sign in with another one to go on: nothing is lost.');
  }
  return response;
}

/** The address that links will carry: the configured one, which may not be the one that this page was opened at. */
function publicBase(baseUrl: string): string {
  const told = document.querySelector<HTMLMetaElement>('meta[name="platen-base"]')?.content ?? '';
  return linkBase(told, baseUrl);
}

// Requests that are sent again after a 503 with Retry-After.

/** Times that a request is sent before its refusal is believed. */
const attemptsMax = 4;

/** Seconds that are waited at most, whatever the service says. */
const waitSecondsMax = 5;

/**
 * Sends with `send`, with another attempt after a 503 that names `Retry-After`, for what changes nothing: GET and
 * previews. The body must be one that can be sent twice. Rejects like `send`.
 */
async function patientFetch(
  send: typeof fetch,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const isRepeatable = (init.method ?? 'GET') === 'GET' || addressOf(input).endsWith('/v1/preview');
  for (let attempt = 1; ; attempt += 1) {
    const response = await send(input, init);
    const seconds = Number(response.headers.get('Retry-After') ?? undefined);
    const isRefused = response.status === 503 && Number.isFinite(seconds);
    if (!isRefused || !isRepeatable || attempt === attemptsMax) return response;
    await response.body?.cancel();
    await pause(Math.min(seconds, waitSecondsMax) * 1000, init.signal ?? undefined);
  }
}

function addressOf(input: RequestInfo | URL): string {
  return input instanceof Request ? input.url : input.toString();
}

/** Rejects as soon as `stopped` is aborted. */
function pause(ms: number, stopped?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(stopped?.reason as Error);
    };
    const timer = setTimeout(() => {
      stopped?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (stopped?.aborted === true) stop();
    else stopped?.addEventListener('abort', stop, { once: true });
  });
}
