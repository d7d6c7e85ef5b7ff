/** Page of one campaign: its proof, list, mapping and image, and the results of its runs. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Template } from '#language/schema/template.ts';
import type { Campaign } from '../../client/platen-client.ts';
import { campaignHash, campaignsHash, lastCampaigns } from '../session.tsx';
import type { Service } from '../state/service.ts';
import { explainError, fullTime } from '../wording.ts';
import { After } from './results/after.tsx';
import { DetectedList } from './list/detected-list.tsx';
import { Files } from './results/files.tsx';
import { choicesOf, firstImage } from './image-choices.ts';
import { ImageFields } from './image-fields.tsx';
import { Links } from './results/links.tsx';
import { MappingTable } from './mapping-table.tsx';
import { Proof } from './proof.tsx';
import { EncodingChoice, isEncodingOpen } from './list/encoding-choice.tsx';
import { isSheetOpen, SheetChoice } from './list/sheet-choice.tsx';
import { readPublished } from '../publish/access/read-published.ts';
import { useCampaign } from './use-campaign.ts';
import { Warm } from './results/warm.tsx';
import type { CampaignParts } from './use-campaign.ts';

export function CampaignPage({ service, id }: { service: Service; id: string }): VNode {
  const state = useCampaign(service, id);
  const { campaign, problem } = state;
  const proof = campaign?.runs.find(({ mode }) => mode === 'proof');
  const { template, problem: templateProblem } = useTemplate(
    service,
    campaign?.template,
    proof?.version,
  );
  useEffect(() => {
    if (campaign !== undefined) lastCampaigns.set(campaign.template, campaign.id);
  }, [campaign?.id]);
  useEffect(() => {
    if (campaign === undefined) return undefined;
    document.title = `${campaign.name} – Platen Studio`;
    return () => {
      document.title = 'Platen Studio';
    };
  }, [campaign?.name]);
  const failed = campaign === undefined ? problem : templateProblem;
  if (failed !== undefined) {
    return (
      <div class="campaign-failed">
        <h1>This campaign cannot be shown</h1>
        <p class="problem" role="alert">
          {failed}
        </p>
        <a class="button" href={campaignsHash}>
          All campaigns
        </a>
      </div>
    );
  }
  if (campaign === undefined || template === undefined) {
    return (
      <p class="soft" role="status">
        Loading …
      </p>
    );
  }
  return <Sections {...{ service, state, campaign, template }} />;
}

function Sections(read: Omit<CampaignParts, 'image' | 'setImage'>): VNode {
  const { campaign, template } = read;
  const proof = campaign.runs.find(({ mode }) => mode === 'proof');
  const [image, setImage] = useState(() =>
    proof === undefined ? firstImage : choicesOf(proof, campaign.template, template),
  );
  const parts: CampaignParts = { ...read, image, setImage };
  const [, setChosen] = useState({});
  const Question = isSheetOpen(campaign)
    ? SheetChoice
    : isEncodingOpen(campaign)
      ? EncodingChoice
      : undefined;
  if (Question !== undefined) {
    return (
      <>
        <Head campaign={campaign} template={template} />
        <Question {...parts} chosen={() => setChosen({})} replaced={openInstead} />
      </>
    );
  }
  return (
    <>
      <Head campaign={campaign} template={template} />
      <Proof {...parts} />
      <DetectedList key={campaign.id} {...parts} replaced={openInstead} />
      <MappingTable key={JSON.stringify(campaign.mapping)} {...parts} />
      <ImageFields {...parts} />
      <Links {...parts} />
      <Warm {...parts} />
      <Files {...parts} />
      <After {...parts} />
    </>
  );
}

/** Opens the campaign that replaces the shown one. */
function openInstead({ id, template }: Campaign): void {
  lastCampaigns.set(template, id);
  globalThis.location.replace(campaignHash(id));
}

function Head({ campaign, template }: Pick<CampaignParts, 'campaign' | 'template'>): VNode {
  const { name, rows, expires_at: expiresAt } = campaign;
  return (
    <div class="campaign-head">
      <h1>{name}</h1>
      <p class="soft">
        {rows.toLocaleString('en-US')} rows for{' '}
        <a href={`#/t/${campaign.template}`}>{template.name}</a>. The list is deleted{' '}
        {fullTime(expiresAt)}.
      </p>
    </div>
  );
}

/** Reads a published document: `version`, or the newest. `template` is undefined until it is read. */
function useTemplate(
  service: Service,
  uid: string | undefined,
  version: number | undefined,
): { template?: Template; problem?: string } {
  const [read, setRead] = useState<{ template?: Template; problem?: string }>({});
  useEffect(() => {
    if (uid === undefined) return undefined;
    const running = new AbortController();
    readPublished(service, uid, version, running).then(
      (template) => setRead({ template }),
      (error: unknown) => {
        if (!running.signal.aborted) setRead({ problem: explainError(error) });
      },
    );
    return () => running.abort();
  }, [uid, version]);
  return read;
}
