/** The first screen after the sign-in: the gallery below a bar with the organization. */
import type { VNode } from 'preact';
import { Gallery } from './gallery/gallery.tsx';
import { openTemplate } from './route.ts';
import { signOut } from './session.ts';
import type { Session } from './session.ts';

/** All templates of the organization. */
export function GalleryPage({ session }: { session: Session }): VNode {
  return (
    <div class="gallery-page">
      <header class="top-bar">
        <a class="home wordmark" href="./">
          <img src="pages/mark.svg" alt="" width="24" height="24" />
          Platen Studio
        </a>
        <span class="bar-space" />
        <span class="soft">{session.organization}</span>
        <a class="quiet-button" href="docs">
          API
        </a>
        <button type="button" class="quiet-button" onClick={() => signOut()}>
          Sign out
        </button>
      </header>
      <Gallery service={session.service} open={openTemplate} />
    </div>
  );
}
