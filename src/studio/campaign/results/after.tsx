/** What the links of the template were answered with, once there are links. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { StatisticsView } from '../../publish/statistics.tsx';
import type { CampaignParts } from '../use-campaign.ts';

/** The section; without links there is none. */
export function After({ service, campaign, template }: CampaignParts): VNode | null {
  const hasLinks = campaign.runs.some(
    ({ mode, state }) => mode === 'links' && state === 'finished',
  );
  const looks = useLooks();
  if (!hasLinks) return null;
  return (
    <section class="campaign-card" aria-labelledby="after-title">
      <h2 id="after-title">After sending</h2>
      <p class="soft">
        Images of all links of {template.name}, those of other campaigns included. Counts alone are
        kept, nothing of a recipient.
      </p>
      <StatisticsView key={looks} service={service} uid={campaign.template} />
    </section>
  );
}

/** How often the page was looked at again: its counts are then old. */
function useLooks(): number {
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) setLooks((before) => before + 1);
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return looks;
}
