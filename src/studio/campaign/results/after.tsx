/** Statistics of the links of the template, shown when the campaign has links. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { StatisticsView } from '../../publish/statistics.tsx';
import type { CampaignParts } from '../use-campaign.ts';

/** Renders nothing before a run of links is finished. */
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

/** Counts how often the page became visible again. Each time the statistics are outdated. */
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
