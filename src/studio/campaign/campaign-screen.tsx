/** The pages of campaigns: a list of recipients is proved, and given back with links. Loaded when they are opened first. */
import type { ComponentChildren, VNode } from 'preact';
import { campaignsHash, galleryHash } from '../session.tsx';
import type { Route, Session } from '../session.tsx';
import { CampaignPage } from './campaign-page.tsx';
import { StartPage } from './start-page.tsx';

/** What the address shows. */
export interface CampaignScreenProps {
  session: Session;
  route: Exclude<Route, { page: 'gallery' | 'editor' }>;
}

/** One campaign, or the list of them with the form that begins one. */
export function CampaignScreen({ session, route }: CampaignScreenProps): VNode {
  const { service } = session;
  const page =
    route.page === 'campaign' ? (
      <CampaignPage key={route.id} service={service} id={route.id} />
    ) : (
      <StartPage key={route.uid} service={service} uid={route.uid} />
    );
  return <Frame organization={session.organization}>{page}</Frame>;
}

function Frame({
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
