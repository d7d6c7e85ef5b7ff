/** The top bar of an organization's pages, and the frame of its campaign and brand pages. */
import type { ComponentChildren, VNode } from 'preact';
import { brandHash, campaignsHash, galleryHash, route, signOut } from './session.tsx';
import type { Route } from './session.tsx';

/** Links of the bar, each with the pages on which it is the current link. */
const links: readonly { name: string; hash: string; pages: readonly Route['page'][] }[] = [
  { name: 'Templates', hash: galleryHash, pages: ['gallery'] },
  { name: 'Brand', hash: brandHash, pages: ['brand'] },
  { name: 'Campaigns', hash: campaignsHash, pages: ['campaigns', 'campaign'] },
];

export function PageBar({ home, organization }: { home: string; organization: string }): VNode {
  const { page } = route.value;
  return (
    <header class="top-bar">
      <a class="home wordmark" href={home}>
        <img src="pages/mark.svg" alt="" width="24" height="24" />
        Platen Studio
      </a>
      <span class="bar-space" />
      {links.map(({ name, hash, pages }) => (
        <a
          key={name}
          class="quiet-button"
          href={hash}
          aria-current={pages.includes(page) ? 'page' : undefined}
        >
          {name}
        </a>
      ))}
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

/** A page of the organization below the top bar. */
export function PageFrame({
  organization,
  children,
}: {
  organization: string;
  children: ComponentChildren;
}): VNode {
  return (
    <div class="gallery-page">
      <PageBar home={galleryHash} organization={organization} />
      <main
        class="campaigns"
        id="main"
        // The browser would open a file that is dropped outside a field, in place of the page.
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => event.preventDefault()}
      >
        {children}
      </main>
    </div>
  );
}
