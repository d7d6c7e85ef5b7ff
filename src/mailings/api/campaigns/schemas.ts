/** Schemas of campaigns in the API, and the conversion of stored campaigns to them. */
import { Type } from 'typebox';
import { problemCodes } from '../../campaigns/campaign.ts';
import type { ColumnMapping, ListFacts } from '../../campaigns/campaign.ts';
import { variablesWithoutColumn } from '../../campaigns/list/mapping.ts';
import { campaignModes } from '../../store/campaigns/campaign-records.ts';
import type { WarmUse } from '../../../render/warm-renders.ts';
import type { Campaign, CampaignRun } from '../../store/campaigns/campaign-records.ts';
import type { PublishedTemplate } from '../../../store/published-cache.ts';
import { pathParameter } from '../../../api/declaration.ts';
import { ListDetails, showList } from './list-schema.ts';
import { closed, pageProperties, renderOptions, Timestamp } from '../../../api/shared-schemas.ts';

const states = ['queued', 'running', 'finished', 'failed', 'canceled'] as const;

export const Mode = Type.Enum([...campaignModes], {
  description:
    'what is made of the list: a `proof` of every row, `links`, image `files`, or `warm` images for the burst after sending',
});

const progress = {
  state: Type.Enum([...states]),
  done: Type.Integer({ minimum: 0, description: 'rows that are done' }),
  counts: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'of a proof: rows that are `fine`, that fall back to `defaults`, and with `problems`; rows by code of problem; the `verdict` in sentences; in `by_column` the `rows` of each code in each column, and how many of them `needs_you`; and `columns` with dirt and with `corrected` values, each with its rows and the remedy',
  }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'why the run failed' }),
};

/** Options of a run. */
const runOptions = {
  ...renderOptions,
  expires: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 99_999_999_999,
      description: 'of signed and short links: seconds since 1970 at which they end',
    }),
  ),
  short: Type.Optional(
    Type.Boolean({ description: 'of links: each has a token in place of its values' }),
  ),
  names: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'of files: the name of each, with `{{row}}` and the names of columns, such as `{{row}}-{{last_name}}`; default: `{{row}}`',
    }),
  ),
  output: Type.Optional(
    Type.Enum(['zip', 'pdf', 'pdfs'], {
      description:
        'of files: a ZIP of images (the default), one PDF of all rows, or a ZIP with a PDF for each row',
    }),
  ),
};

const Run = Type.Object(
  {
    mode: Mode,
    version: Type.Integer({ minimum: 1, description: 'of the template' }),
    options: Type.Object(runOptions, { description: 'with which it was started' }),
    ...progress,
    created_at: Timestamp,
    finished_at: Type.Union([Timestamp, Type.Null()]),
    use: Type.Optional(
      Type.Object(
        { hits: Type.Integer(), misses: Type.Integer() },
        {
          description:
            'of warm images: requests that were not answered from memory, from the disk or drawn',
        },
      ),
    ),
  },
  { $id: 'CampaignRun' },
);

export const Mapping = Type.Record(Type.String(), Type.String(), {
  description: 'the variable of each column; of lists a field such as `items.0.title`',
});

export const CampaignDetails = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    template: Type.String({ description: 'uid of the template' }),
    mode: Mode,
    version: Type.Integer({ minimum: 1, description: 'of the template, in the newest run' }),
    ...progress,
    rows: Type.Integer({ minimum: 0, description: 'rows of the list with a value' }),
    list: ListDetails,
    first_rows: Type.Optional(
      Type.Array(Type.Array(Type.String()), {
        description:
          'the first good rows, cell by cell, with the first 200 characters of each; after the upload and of one campaign',
      }),
    ),
    mapping: Mapping,
    unmapped_columns: Type.Array(Type.String()),
    variables_without_column: Type.Array(Type.String(), {
      description: 'drawn with their defaults in all rows',
    }),
    runs: Type.Array(Run, { description: 'the last run of each mode, newest first' }),
    created_at: Timestamp,
    expires_at: Type.String({ description: 'when the list and all results are deleted' }),
  },
  { $id: 'Campaign' },
);

const finished = {
  mode: 'proof',
  version: 1,
  state: 'finished',
  done: 2,
  counts: {
    fine: 2,
    defaults: 0,
    problems: 0,
    verdict: '2 fine, none need you.',
    by_column: [],
    template: [],
    corrected: [],
    columns: [],
  },
  error: null,
};
const times = {
  created_at: '2026-01-31T09:00:00.000Z',
  expires_at: '2026-03-02T09:00:00.000Z',
};
const named = { id: 'cmp_7Qm3vX0aLr2TzK9cBw5e', name: 'Spring', template: 'hello', rows: 2 };

/** A proof of two rows. */
export const campaignExample = {
  ...named,
  ...finished,
  list: {
    kind: 'csv',
    encoding: 'utf-8',
    separator: ',',
    columns: ['name', 'email'],
    header_row: 1,
    recipient_column: 'email',
    problems: [],
  },
  mapping: { name: 'name' },
  unmapped_columns: ['email'],
  variables_without_column: [],
  runs: [{ ...finished, options: {}, created_at: times.created_at, finished_at: times.created_at }],
  ...times,
};

export const campaignPageExample = {
  campaigns: [
    { ...named, mode: 'proof', state: 'finished', verdict: finished.counts.verdict, ...times },
  ],
  total: 1,
  limit: 20,
  offset: 0,
};

export const CampaignPage = Type.Object(
  {
    campaigns: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        template: Type.String(),
        rows: Type.Integer(),
        mode: Type.Optional(Mode),
        state: Type.Optional(Type.Enum([...states])),
        verdict: Type.Union([Type.String(), Type.Null()], {
          description: 'of the last proof, if there is one',
        }),
        created_at: Timestamp,
        expires_at: Timestamp,
      }),
      { maxItems: 100, description: 'newest first' },
    ),
    total: Type.Integer({ minimum: 0 }),
    ...pageProperties,
  },
  { $id: 'CampaignPage' },
);

/** The body that starts a run over the list of a campaign. */
export const RunRequest = Type.Object(
  {
    mode: Mode,
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'a published version; default: the newest' }),
    ),
    map: Type.Optional(Mapping),
    ...runOptions,
  },
  { ...closed, $id: 'CampaignRunRequest' },
);

export const idParameter = pathParameter('Id of the campaign.', 'cmp_7Qm3vX0aLr2TzK9cBw5e');

export const problemSchema = Type.Enum([...problemCodes], {
  description: 'only rows with this problem',
});

const iso = (ms: number): string => new Date(ms).toISOString();

/** Converts a run to its API form; `use` has the hits and misses of warm images. */
export function showRun(run: CampaignRun, use?: WarmUse): Record<string, unknown> {
  const { mode, state, version, optionsJson, done, error, countsJson, createdAt, finishedAt } = run;
  return {
    mode,
    version,
    options: JSON.parse(optionsJson) as unknown,
    state,
    done,
    counts: JSON.parse(countsJson) as unknown,
    error,
    created_at: iso(createdAt),
    finished_at: finishedAt === null ? null : iso(finishedAt),
    ...(use === undefined ? {} : { use }),
  };
}

/** Converts a campaign to its API form; `template` is undefined if it is no longer published. */
export function showCampaign(
  campaign: Campaign,
  runs: readonly CampaignRun[],
  warmUse: WarmUse,
  template: PublishedTemplate | undefined,
): Record<string, unknown> {
  const facts = JSON.parse(campaign.listJson) as ListFacts;
  const mapping = JSON.parse(campaign.mappingJson) as ColumnMapping;
  const [latest] = runs;
  const shown = latest && showRun(latest);
  return {
    id: campaign.id,
    name: campaign.name,
    template: campaign.templateUid,
    ...(shown && {
      mode: shown.mode,
      version: shown.version,
      state: shown.state,
      done: shown.done,
      counts: shown.counts,
      error: shown.error,
    }),
    rows: campaign.rowCount,
    list: showList(facts),
    mapping,
    unmapped_columns: facts.columns.filter((column) => !Object.hasOwn(mapping, column)),
    variables_without_column: template ? variablesWithoutColumn(mapping, template) : [],
    runs: runs.map((run) => showRun(run, run.mode === 'warm' ? warmUse : undefined)),
    created_at: iso(campaign.createdAt),
    expires_at: iso(campaign.expiresAt),
  };
}

/** Converts a campaign to its API form in a list. */
export function showSummary(
  campaign: Campaign,
  runs: readonly CampaignRun[],
): Record<string, unknown> {
  const { id, name, templateUid, rowCount, createdAt, expiresAt } = campaign;
  const [latest] = runs;
  const proof = runs.find(({ mode }) => mode === 'proof');
  const { verdict = null } = JSON.parse(proof?.countsJson ?? '{}') as { verdict?: string };
  return {
    id,
    name,
    template: templateUid,
    rows: rowCount,
    ...(latest && { mode: latest.mode, state: latest.state }),
    verdict,
    created_at: iso(createdAt),
    expires_at: iso(expiresAt),
  };
}
