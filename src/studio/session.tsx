/** The state of the tab: who is signed in, which page the address shows, and the form to sign in. The key is never in an address or on disk. */
import { signal, useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { PlatenClient } from '../client/platen-client.ts';
import { linkBase } from '../pages/public-address.ts';
import { statusOf, explainError } from './wording.ts';
import type { Service } from './state/service.ts';
import { uploadFetch } from './state/service.ts';
import { uidSource } from '#language/uid.ts';
import type { VNode } from 'preact';

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
  const baseUrl = serviceAddress();
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
  lastCampaigns.clear();
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

/** Whether the page was opened at its address for frames of other pages. */
export const isEmbedded = /\/studio\/embed\/?$/.test(globalThis.location.pathname);

/** The service may be below a path of a proxy: its own address is what stands before `studio`. */
export function serviceAddress(): string {
  const { origin, pathname } = globalThis.location;
  return `${origin}${pathname.replace(/\/studio(\/embed)?\/?$/, '')}`;
}

/** The address that links will carry: the configured one, which may not be the one that this page was opened at. */
export function publicBase(baseUrl: string): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name="platen-base"]')?.content ?? '';
  return linkBase(named, baseUrl);
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
export async function patientFetch(
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

// The page that the address shows: `#/` the gallery, `#/brand` the brand kit, `#/t/{uid}` an editor, `#/campaigns` and `#/t/{uid}/campaign` the
// campaigns, all or those of a template, `#/c/{id}` one campaign.

export type Route =
  | { page: 'gallery' }
  | { page: 'editor'; uid: string }
  | { page: 'brand' }
  | { page: 'campaigns'; uid: string | undefined }
  | { page: 'campaign'; id: string };

/** Address of the gallery within the page. */
export const galleryHash = '#/';

/** Address of the brand kit within the page. */
export const brandHash = '#/brand';

/** Address of all campaigns within the page. */
export const campaignsHash = '#/campaigns';

const currentRoute = signal(parseRoute(globalThis.location.hash));

/** The route of the address bar. */
export const route: ReadonlySignal<Route> = currentRoute;

globalThis.addEventListener('hashchange', () => {
  currentRoute.value = parseRoute(globalThis.location.hash);
});

/** Opens a template in the editor. */
export function openTemplate(uid: string): void {
  globalThis.location.hash = `#/t/${uid}`;
}

/** The campaign of each template that this tab has opened last, by uid: the editor leads back to it. */
export const lastCampaigns = new Map<string, string>();

/** Address of a campaign within the page. */
export function campaignHash(id: string): string {
  return `#/c/${id}`;
}

/** Address of the campaigns of a template, or of the one that was opened last. */
export function templateCampaignHash(uid: string): string {
  const id = lastCampaigns.get(uid);
  return id === undefined ? `#/t/${uid}/campaign` : campaignHash(id);
}

/** Reads a fragment; whatever leads nowhere leads to the gallery. */
export function parseRoute(hash: string): Route {
  const id = /^#\/c\/(\w+)$/.exec(hash)?.[1];
  if (id !== undefined) return { page: 'campaign', id };
  if (hash === brandHash) return { page: 'brand' };
  if (hash === campaignsHash) return { page: 'campaigns', uid: undefined };
  const [, uid, campaign] = new RegExp(`^#/t/(${uidSource})(/campaign)?$`).exec(hash) ?? [];
  if (uid === undefined) return { page: 'gallery' };
  return campaign === undefined ? { page: 'editor', uid } : { page: 'campaigns', uid };
}

// The form to sign in.

/** Asks for a key until the service takes one. */
export function SignIn(): VNode {
  const key = useSignal('');
  const problem = useSignal<string | undefined>(signedOutBecause.value);
  const isBusy = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy.value) return;
    if (key.value.trim() === '') {
      problem.value = 'Paste a key of your organization.';
      return;
    }
    isBusy.value = true;
    problem.value = undefined;
    try {
      await signIn(key.value.trim());
    } catch (error) {
      const isUnknown = statusOf(error) === 401;
      problem.value = isUnknown
        ? 'The service does not know this key. Check that it was copied whole.'
        : explainError(error);
    }
    isBusy.value = false;
  };
  const isWrong = problem.value !== undefined;
  return (
    <main class="sign-in">
      <form class="sign-in-card" onSubmit={(event) => void submit(event)} novalidate>
        <img src="pages/mark.svg" alt="" width="44" height="44" />
        <h1>Platen Studio</h1>
        <p class="soft">Design templates on the pixels that your links will show.</p>
        <div class="field">
          <label for="api-key">API key</label>
          <input
            id="api-key"
            name="api-key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            autofocus
            value={key.value}
            aria-invalid={isWrong}
            aria-describedby="api-key-help"
            onInput={(event) => {
              key.value = event.currentTarget.value;
            }}
          />
          <p
            id="api-key-help"
            class={isWrong ? 'problem' : 'soft'}
            role={isWrong ? 'alert' : undefined}
          >
            {problem.value ?? 'It stays in this tab and is sent to this service alone.'}
          </p>
        </div>
        <button type="submit" class="primary" disabled={isBusy.value}>
          {isBusy.value ? 'Signing in …' : 'Sign in'}
        </button>
        <p class="soft small">
          The operator of the service creates keys with <code>platen key create</code>. The demo key
          of its first start works, too.
        </p>
      </form>
    </main>
  );
}
