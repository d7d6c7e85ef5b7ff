/** The state of the tab: the session, the route and the sign-in form. The key is never in an address or on disk. */
import { signal, useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { PlatenClient } from '../client/platen-client.ts';
import { linkBase } from '../pages/browser/public-address.ts';
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

/** `undefined` while a stored key is being checked, `null` without a session. */
const current = signal<Session | null | undefined>(undefined);

/** The current session: `undefined` while a stored key is being checked, `null` without one. */
export const session: ReadonlySignal<Session | null | undefined> = current;

/** The reason why a session ended; undefined otherwise. */
export const signedOutBecause = signal<string | undefined>(undefined);

/** Signs in with a key. Rejects like the client if the service does not accept the key. */
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

/** Ends the session and removes its key from the tab. */
export function signOut(reason?: string): void {
  sessionStorage.removeItem(storageKey);
  lastCampaigns.clear();
  signedOutBecause.value = reason;
  current.value = null;
}

/** Signs in with the key of this tab, if there is one. Never rejects. */
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

/** As `patientFetch`. A 401 for a revoked key ends the session; unsaved work stays in the tab until it is closed. */
async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await patientFetch(uploadFetch, input, init);
  if (response.status === 401 && current.value) {
    signOut('The key is no longer valid. Sign in with another one to go on: nothing is lost.');
  }
  return response;
}

/** Whether the page was opened at the address for frames of other pages. */
export const isEmbedded = /\/studio\/embed\/?$/.test(globalThis.location.pathname);

/** Returns the service's address: the part before `studio`, because the service may be below a path of a proxy. */
export function serviceAddress(): string {
  const { origin, pathname } = globalThis.location;
  return `${origin}${pathname.replace(/\/studio(\/embed)?\/?$/, '')}`;
}

/** Returns the base address of links: the configured one, which may differ from the address of this page. */
export function publicBase(baseUrl: string): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name="platen-base"]')?.content ?? '';
  return linkBase(named, baseUrl);
}

// Requests that are sent again after a 503 with Retry-After.

/** Attempts for a request at most. */
const attemptsMax = 4;

/** Longest wait before an attempt, in seconds, also if `Retry-After` is longer. */
const waitSecondsMax = 5;

/**
 * Sends with `send`. Repeats requests that change nothing (GET and previews) after a 503 with `Retry-After`. The body
 * must be one that can be sent twice. Rejects like `send`.
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

/** Resolves after `ms`; rejects as soon as `stopped` is aborted. */
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

// Pages by fragment: `#/` the gallery, `#/brand` the brand kit, `#/t/{uid}` an editor, `#/campaigns` all campaigns,
// `#/t/{uid}/campaign` the campaigns of a template, `#/c/{id}` one campaign.

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

/** The last campaign that this tab opened, by template uid. The editor links back to it. */
export const lastCampaigns = new Map<string, string>();

/** Address of a campaign within the page. */
export function campaignHash(id: string): string {
  return `#/c/${id}`;
}

/** Address of the template's campaign that was opened last, or else of all its campaigns. */
export function templateCampaignHash(uid: string): string {
  const id = lastCampaigns.get(uid);
  return id === undefined ? `#/t/${uid}/campaign` : campaignHash(id);
}

/** Reads a fragment. An unknown fragment means the gallery. */
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

/** Asks for a key until the service accepts one. */
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
        <details class="soft small">
          <summary>The people who run this service give you a key.</summary>
          <code>platen key create</code> makes one. The demo key of the first start works, too.
        </details>
      </form>
    </main>
  );
}
