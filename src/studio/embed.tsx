/** The studio in a frame of another page: its token, kept in memory only, and its messages with that page. */
import { effect, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { readEmbedClaims } from '#language/embed-token.ts';
import type { EmbedClaims } from '#language/embed-token.ts';
import { PlatenClient } from '../client/platen-client.ts';
import { EditorPage } from './editor-page.tsx';
import { patientFetch, publicBase, serviceAddress } from './session.tsx';
import { uploadFetch } from './state/service.ts';
import type { Service } from './state/service.ts';
import type { Editor } from './state/editor.ts';

/** An embed token with its claims. */
interface Embedding extends EmbedClaims {
  token: string;
}

const current = signal(readToken(globalThis.location.hash.slice(1)));

/** Resolves with the next token. */
let renewal = Promise.withResolvers<void>();

/** The editor of the token's template, or an error page without a token. */
export function EmbeddedStudio(): VNode {
  const embedding = current.peek();
  useEffect(() => listen(), []);
  if (embedding === undefined) {
    return (
      <main class="failed">
        <h1>This frame has no token</h1>
        <p>The page around it opens the studio with the address of an embed token.</p>
      </main>
    );
  }
  return (
    <EditorPage service={embeddedService(embedding)} uid={embedding.template} onOpen={announce} />
  );
}

function readToken(token: unknown): Embedding | undefined {
  const claims = typeof token === 'string' ? readEmbedClaims(token) : undefined;
  return claims && { ...claims, token: token as string };
}

/** Accepts new tokens from the page around the frame. The returned function stops that. */
function listen(): () => void {
  globalThis.addEventListener('message', take);
  return () => globalThis.removeEventListener('message', take);
}

function take({ source, origin, data }: MessageEvent<unknown>): void {
  const known = current.value;
  if (source !== globalThis.parent || known === undefined || origin !== known.origin) return;
  if (typeof data !== 'object' || data === null) return;
  const { type, token } = data as { type?: unknown; token?: unknown };
  const next = type === 'platen:token' ? readToken(token) : undefined;
  if (next?.template !== known.template || next.origin !== known.origin) return;
  current.value = next;
  renewal.resolve();
  renewal = Promise.withResolvers();
}

/** Sends a message to the page around the frame. Only a page of the token's origin receives it. */
function tell(type: string, facts: Record<string, unknown> = {}): void {
  const { origin, template } = current.value ?? {};
  if (origin === undefined) return;
  globalThis.parent.postMessage({ type: `platen:${type}`, template, ...facts }, origin);
}

/** Reports the open template, and each later save and publication, to the page around the frame. */
function announce(editor: Editor): () => void {
  let revision = editor.cid.peek();
  let version = editor.publishedVersion.peek();
  tell('ready', { revision, version });
  const ends = [
    effect(() => {
      const saved = editor.cid.value;
      if (editor.saveState.value !== 'saved' || saved === revision) return;
      revision = saved;
      tell('saved', { revision });
    }),
    effect(() => {
      const published = editor.publishedVersion.value;
      if (published === version) return;
      version = published;
      tell('published', { version });
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function embeddedService({ token, publish }: Embedding): Service {
  const base = serviceAddress();
  const client = new PlatenClient({ baseUrl: base, apiKey: token, fetch: embeddedFetch });
  const load: Service['load'] = (path, init) => embeddedFetch(base + path, init);
  return { client, load, base: publicBase(base), embed: { mayPublish: publish } };
}

/** Maximum number of tokens with which a request is tried after answers of 401. */
const attemptsMax = 3;

/** Sends a request with the newest token. After a 401, requests a new token from the page and tries again. */
async function embeddedFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const { token = '' } = current.value ?? {};
    const headers = new Headers(init.headers);
    headers.set('X-API-Key', token);
    const response = await patientFetch(uploadFetch, input, { ...init, headers });
    if (response.status !== 401 || attempt === attemptsMax) return response;
    await response.body?.cancel();
    await newerToken(token, init.signal ?? undefined);
  }
}

/** The token for which the page around the frame was asked to send a replacement. */
let asked: string | undefined;

/** Resolves when a token other than `old` is available. Rejects when `stopped` aborts. */
function newerToken(old: string, stopped: AbortSignal | undefined): Promise<void> {
  if (current.value?.token !== old) return Promise.resolve();
  if (asked !== old) tell('token-expired');
  asked = old;
  const stopping = Promise.withResolvers<void>();
  const stop = (): void => {
    // The page has not answered, so the next request asks again.
    asked = undefined;
    stopping.reject(stopped?.reason as Error);
  };
  if (stopped?.aborted === true) stop();
  stopped?.addEventListener('abort', stop, { once: true });
  return Promise.race([renewal.promise, stopping.promise]);
}
