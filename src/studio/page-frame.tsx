/** The bar of the pages of an organization, and the frame of those of campaigns and of the brand kit. */
import type { ComponentChildren, VNode } from 'preact';
import { brandHash, campaignsHash, galleryHash, signOut } from './session.tsx';

/** The bar that leads to the pages. */
export function PageBar({
  home,
  organization,
  before,
}: {
  home: string;
  organization: string;
  /** Links before those to the brand kit and the campaigns. */
  before?: ComponentChildren;
}): VNode {
  return (
    <header class="top-bar">
      <a class="home wordmark" href={home}>
        <img src="pages/mark.svg" alt="" width="24" height="24" />
        Platen Studio
      </a>
      <span class="bar-space" />
      {before}
      <a class="quiet-button" href={brandHash}>
        Brand
      </a>
      <a class="quiet-button" href={campaignsHash}>
        Campaigns
      </a>
      <span class="soft">{organization}</span>
      <a class="quiet-button" href="docs">
        API
      </a>
      <button type="button" class="quiet-button" onClick={() => signOut()}>
        Sign out
      </button>
    </header>
  );
}

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
      <PageBar
        home={galleryHash}
        organization={organization}
        before={
          <a class="quiet-button" href={galleryHash}>
            Templates
          </a>
        }
      />
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
