/** Section of warm images: renders the images of a list before sending, and shows their use. */
import type { VNode } from 'preact';
import { imageOptions, isSameImage } from '../image-choices.ts';
import { OperatorNote } from '../../panels/operator-note.tsx';
import { count, RunSection, size } from './run-parts.tsx';
import type { CampaignParts, Run } from '../use-campaign.ts';

interface Counts {
  warm?: number;
  failed?: number;
  no_space?: number;
  bad_rows?: number;
  bytes?: number;
}

export function Warm(parts: CampaignParts): VNode {
  const { state, campaign, template, image } = parts;
  const links = campaign.runs.find(({ mode }) => mode === 'links');
  const proof = campaign.runs.find(({ mode }) => mode === 'proof');
  const options = imageOptions(campaign.template, template, image);
  const version = links?.version ?? proof?.version;
  const start = (): void =>
    void state.start({ mode: 'warm', ...options, ...(version === undefined ? {} : { version }) });
  return (
    <section class="campaign-card" aria-labelledby="warm-title">
      <h2 id="warm-title">Warm images</h2>
      <p class="soft">
        Most readers open an email in its first hour. Images that are made before sending are
        answered from the disk, also after a restart.
      </p>
      {links?.state === 'finished' && !isSameImage(links.options, options) && (
        <p class="hint">
          The links show another size, format or number of pixels than “The image” says now: make
          them again, or warm images will not serve them.
        </p>
      )}
      <RunSection
        {...parts}
        mode="warm"
        label="Make the images"
        labelAgain="Make the images again"
        what="images"
        start={start}
      >
        {(run) => <WarmResult rows={campaign.rows} run={run} />}
      </RunSection>
    </section>
  );
}

function WarmResult({ rows, run }: { rows: number; run: Run }): VNode {
  const {
    warm = 0,
    failed = 0,
    no_space: noSpace = 0,
    bad_rows: badRows = 0,
    bytes = 0,
  } = run.counts as Counts;
  const { hits = 0, misses = 0 } = run.use ?? {};
  const missing: [number, string][] = [
    [failed, 'that cannot be drawn as the template says'],
    [noSpace, 'without space on the disk'],
    [badRows, 'that cannot be read'],
  ];
  const found = missing.filter(([number]) => number > 0);
  const asked = hits + misses;
  return (
    <div role="status">
      <p>
        <strong>
          {count(warm)} of {count(rows)} warm
        </strong>
        , {size(bytes)} on the disk, version {run.version}.
      </p>
      {found.length > 0 && (
        <p class="problem">
          Not warm: {found.map(([number, what]) => `${count(number)} ${what}`).join(', ')}.
        </p>
      )}
      {noSpace > 0 && (
        <div>
          Their links draw them when they are opened. Ask the people who run this service for more
          space.
          <OperatorNote>
            <code>PLATEN_CAMPAIGNS_WARM_GIB</code> is the space for such images.
          </OperatorNote>
        </div>
      )}
      <p class="soft">
        {asked === 0
          ? 'No link has asked for one yet.'
          : `${count(hits)} of ${count(asked)} requests were answered from the disk (${Math.floor((100 * hits) / asked)} %), the others were drawn. Images in memory are not counted.`}
      </p>
    </div>
  );
}
