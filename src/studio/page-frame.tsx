/** The frame of the pages of campaigns and of the brand kit. */
import type { ComponentChildren, VNode } from 'preact';
import { brandHash, campaignsHash, galleryHash } from './session.tsx';

/** A page of the organization below a bar that leads to the others. */
export function PageFrame({
  organization,
  children,
}: {
  organization: string;
  children: ComponentChildren;
}): VNode {
  return (
    <div class="gallery-page">
      <header class="top-bar">
        <a class="home wordmark" href={galleryHash}>
          <img src="pages/mark.svg" alt="" width="24" height="24" />
          Platen Studio
        </a>
        <span class="bar-space" />
        <a class="quiet-button" href={galleryHash}>
          Templates
        </a>
        <a class="quiet-button" href={brandHash}>
          Brand
        </a>
        <a class="quiet-button" href={campaignsHash}>
          Campaigns
        </a>
        <span class="soft">{organization}</span>
      </header>
      <main
        class="campaigns"
        id="main"
        // A file that misses its field would be opened in place of the page.
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => event.preventDefault()}
      >
        {children}
      </main>
    </div>
  );
}
