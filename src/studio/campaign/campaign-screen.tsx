/** Pages of campaigns. The browser loads this module when a user first opens one of them. */
import type { VNode } from 'preact';
import { PageFrame } from '../page-frame.tsx';
import type { Route, Session } from '../session.tsx';
import { CampaignPage } from './campaign-page.tsx';
import { StartPage } from './start-page.tsx';

export interface CampaignScreenProps {
  session: Session;
  route: Exclude<Route, { page: 'gallery' | 'editor' | 'brand' }>;
}

/** Shows one campaign, or the list of campaigns with the form that starts one. */
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
