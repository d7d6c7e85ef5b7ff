/** The bar of the pages of an organization, and the frame of those of campaigns and of the brand kit. */
import type { ComponentChildren, VNode } from 'preact';
import { brandHash, campaignsHash, galleryHash, route, signOut } from './session.tsx';
import type { Route } from './session.tsx';

/** Where the bar leads, and the pages on which the link is the current one. */
const links: readonly { name: string; hash: string; pages: readonly Route['page'][] }[] = [
  { name: 'Templates', hash: galleryHash, pages: ['gallery'] },
  { name: 'Brand', hash: brandHash, pages: ['brand'] },
  { name: 'Campaigns', hash: campaignsHash, pages: ['campaigns', 'campaign'] },
];

/** The bar that leads to the pages. */
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
      <PageBar home={galleryHash} organization={organization} />
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
