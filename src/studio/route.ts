/** What of the studio is shown, as its address says: `#/` the gallery, `#/t/{uid}` an editor. */
import { uidSource } from '#language/uid.ts';
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';

export type Route = { page: 'gallery' } | { page: 'editor'; uid: string };

const current = signal(parseRoute(globalThis.location.hash));

/** The route of the address bar. */
export const route: ReadonlySignal<Route> = current;

globalThis.addEventListener('hashchange', () => {
  current.value = parseRoute(globalThis.location.hash);
});

/** Opens a template in the editor. */
export function openTemplate(uid: string): void {
  globalThis.location.hash = `#/t/${uid}`;
}

/** Address of the gallery within the page. */
export const galleryHash = '#/';

/** Reads a fragment; whatever is no template leads to the gallery. */
export function parseRoute(hash: string): Route {
  const uid = new RegExp(`^#/t/(${uidSource})$`).exec(hash)?.[1];
  return uid === undefined ? { page: 'gallery' } : { page: 'editor', uid };
}
