/** First page of campaigns: starts a campaign from a list, and shows existing campaigns. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { CampaignPage, TemplateSummary } from '../../client/platen-client.ts';
import { Dialog } from '../dialog.tsx';
import { arrangeTemplates, createTemplateList } from '../gallery/template-list.ts';
import { campaignHash } from '../session.tsx';
import type { Service } from '../state/service.ts';
import { explainError, fullTime, notifyError, timeAgo } from '../wording.ts';
import { DropList, UploadState, useUpload } from './list/drop-list.tsx';
import { ListChoiceFields } from './list/list-choices.tsx';
import { PasteCells } from './list/paste-cells.tsx';
import { detectedChoices } from './list/upload.ts';

export interface StartPageProps {
  service: Service;
  /** Preselected template. Undefined means that the user chooses one. */
  uid: string | undefined;
}

export function StartPage({ service, uid: first }: StartPageProps): VNode {
  const { templates, problem } = usePublished(service);
  const [chosen, setChosen] = useState(first ?? '');
  const template = templates?.find(({ uid }) => uid === chosen);
  const isMissing = templates !== undefined && chosen !== '' && template === undefined;
  const lacking =
    templates === undefined
      ? problem === undefined
        ? 'Reading the templates …'
        : 'The templates cannot be read'
      : isMissing
        ? 'Publish the template first'
        : 'Choose a template first';
  return (
    <>
      <h1>Campaigns</h1>
      <section class="campaign-card" aria-labelledby="new-campaign">
        <h2 id="new-campaign">Prove a list</h2>
        <p class="soft">
          Every row of a list is laid out with a template and checked, before an email leaves. Then
          the list comes back with a link for each row.
        </p>
        {problem !== undefined && (
          <p class="problem" role="alert">
            The templates cannot be listed. {problem}
          </p>
        )}
        <label class="field template-field">
          Template
          <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
            <option value="">Choose a published template</option>
            {template === undefined && chosen !== '' && (
              <option value={chosen}>{isMissing ? `${chosen} (not published)` : chosen}</option>
            )}
            {templates?.map(({ uid, name }) => (
              <option value={uid}>{name}</option>
            ))}
          </select>
        </label>
        {isMissing && (
          <p class="hint">
            “{chosen}” has no published version. Publish it in{' '}
            <a href={`#/t/${chosen}`}>the editor</a> first: links show published versions.
          </p>
        )}
        <NewList key={chosen} service={service} uid={template?.uid} lacking={lacking} />
      </section>
      <PastCampaigns service={service} templates={templates ?? []} uid={first} />
    </>
  );
}

/** Published templates in order of name. Undefined until they are read. */
function usePublished(service: Service): {
  templates: TemplateSummary[] | undefined;
  problem: string | undefined;
} {
  const [list] = useState(() => createTemplateList(service.client, false));
  useEffect(() => {
    void list.load();
    return () => list.close();
  }, [list]);
  const isReady = list.state.value === 'ready';
  const all = arrangeTemplates(list.templates.value, '', 'name');
  return {
    templates: isReady ? all.filter(({ version }) => version !== null) : undefined,
    problem: list.problem.value,
  };
}

interface NewListProps {
  service: Service;
  /** Id of the chosen template. Undefined without a published template. */
  uid: string | undefined;
  /** Text of the drop field while `uid` is undefined. */
  lacking: string;
}

function NewList({ service, uid, lacking }: NewListProps): VNode {
  const [choices, setChoices] = useState(detectedChoices);
  const upload = useUpload(service, uid ?? '', ({ id }) => {
    globalThis.location.hash = campaignHash(id);
  });
  const isBusy = upload.part !== undefined;
  return (
    <>
      <DropList
        title={uid === undefined ? lacking : 'Drop a list here, or choose a file'}
        isOff={uid === undefined || isBusy}
        take={(file) => upload.send(file, choices)}
      />
      <UploadState upload={upload} />
      <PasteCells isOff={uid === undefined || isBusy} take={(file) => upload.send(file, choices)} />
      <details>
        <summary>How a CSV is read</summary>
        <ListChoiceFields choices={choices} set={setChoices} sheets={undefined} />
      </details>
    </>
  );
}

type Summary = CampaignPage['campaigns'][number];

/** Maximum number of campaigns of an organization. */
const campaignsMax = 100;

function PastCampaigns({
  service,
  templates,
  uid,
}: {
  service: Service;
  templates: readonly TemplateSummary[];
  uid: string | undefined;
}): VNode | null {
  const { client } = service;
  const [campaigns, setCampaigns] = useState<readonly Summary[] | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [leaving, setLeaving] = useState<Summary | undefined>(undefined);
  const load = async (): Promise<void> => {
    try {
      setCampaigns(
        (await client.request('GET /v1/campaigns', { query: { limit: campaignsMax } })).campaigns,
      );
      setProblem(undefined);
    } catch (error) {
      setProblem(explainError(error));
    }
  };
  useEffect(() => void load(), []);
  const remove = async ({ id, name }: Summary, withLinks: boolean): Promise<void> => {
    setLeaving(undefined);
    try {
      const query = { short_links: withLinks };
      await client.request('DELETE /v1/campaigns/{id}', { path: { id }, query });
    } catch (error) {
      notifyError(`“${name}” was not deleted`, error);
    }
    await load();
  };
  if (problem !== undefined) {
    return (
      <p class="problem" role="alert">
        The campaigns cannot be listed. {problem}
      </p>
    );
  }
  const shown = campaigns?.filter(({ template }) => uid === undefined || template === uid) ?? [];
  if (shown.length === 0) return null;
  const names = new Map(templates.map((template) => [template.uid, template.name]));
  return (
    <section class="campaign-card" aria-labelledby="past-campaigns">
      <h2 id="past-campaigns">{uid === undefined ? 'All campaigns' : 'Its campaigns'}</h2>
      <ul class="campaign-list">
        {shown.map((each) => (
          <PastCampaign
            key={each.id}
            campaign={each}
            templateName={names.get(each.template) ?? each.template}
            remove={() => setLeaving(each)}
          />
        ))}
      </ul>
      {leaving !== undefined && (
        <DeleteDialog
          campaign={leaving}
          close={() => setLeaving(undefined)}
          remove={(withLinks) => void remove(leaving, withLinks)}
        />
      )}
    </section>
  );
}

interface DeleteDialogProps {
  campaign: Summary;
  close: () => void;
  remove: (withLinks: boolean) => void;
}

function DeleteDialog({ campaign, close, remove }: DeleteDialogProps): VNode {
  const [withLinks, setWithLinks] = useState(false);
  return (
    <Dialog title={`Delete “${campaign.name}”?`} close={close}>
      <p>
        The list with its {count(campaign.rows)} rows and all results are deleted at once. Links
        that were made remain. Short ones keep the values of their rows in this service until they
        end.
      </p>
      <label class="check">
        <input type="checkbox" checked={withLinks} onChange={() => setWithLinks(!withLinks)} />
        <span>Delete its short links too: emails with them show no image any more</span>
      </label>
      <div class="dialog-actions">
        <button type="button" onClick={close}>
          Keep it
        </button>
        <button type="button" class="primary" onClick={() => remove(withLinks)}>
          Delete
        </button>
      </div>
    </Dialog>
  );
}

/** Display names of runs, by mode. */
const runNames = { proof: 'Proof', links: 'Links', files: 'Files', warm: 'Warm images' } as const;

interface PastCampaignProps {
  campaign: Summary;
  templateName: string;
  remove: () => void;
}

function PastCampaign({ campaign, templateName, remove }: PastCampaignProps): VNode {
  const { id, name, rows, state, mode, verdict, created_at: createdAt } = campaign;
  const run = runNames[mode ?? 'proof'];
  const isOpen = state === 'queued' || state === 'running';
  const text = isOpen ? `${run} …` : (verdict ?? `${run}: ${state ?? 'not started'}`);
  return (
    <li>
      <div>
        <a href={campaignHash(id)}>{name}</a>
        <p class="soft">
          {templateName} · {count(rows)} rows ·{' '}
          <span title={`Deleted ${fullTime(campaign.expires_at)}`}>
            {timeAgo(createdAt, Date.now())}
          </span>
        </p>
      </div>
      <p>{text}</p>
      <button type="button" aria-label={`Delete ${name}`} onClick={remove}>
        Delete
      </button>
    </li>
  );
}

function count(rows: number): string {
  return rows.toLocaleString('en-US');
}
