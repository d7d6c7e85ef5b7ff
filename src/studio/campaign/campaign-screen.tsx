/** The pages of campaigns: a list of recipients is proved, and given back with links. Loaded when they are opened first. */
import type { VNode } from 'preact';
import { PageFrame } from '../page-frame.tsx';
import type { Route, Session } from '../session.tsx';
import { CampaignPage } from './campaign-page.tsx';
import { StartPage } from './start-page.tsx';

/** What the address shows. */
export interface CampaignScreenProps {
  session: Session;
  route: Exclude<Route, { page: 'gallery' | 'editor' | 'brand' }>;
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
  return <PageFrame organization={session.organization}>{page}</PageFrame>;
}
