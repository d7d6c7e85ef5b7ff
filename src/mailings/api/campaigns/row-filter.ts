/** The filter of rows with problems, which all answers with such rows take. */
import { keyForms } from '#language/normal-form.ts';
import { problemCodes } from '../../campaigns/campaign.ts';
import type { ColumnMapping, ListFacts } from '../../campaigns/campaign.ts';
import type { ColumnCount } from '../../campaigns/proof/column-counts.ts';
import type { Campaign } from '../../store/campaigns/campaign-records.ts';
import type { CampaignStore } from '../../store/campaigns/campaign-store.ts';
import type { ProblemFilter } from '../../store/campaigns/problem-rows.ts';
import { badBody } from '../../../api/request/input.ts';
import { problemSchema } from './schemas.ts';

/** The query that `readFilter` takes. */
export const filterQuery = {
  problem: { description: 'Only rows with this problem.', schema: problemSchema },
  column: {
    description:
      'Only rows with a problem in this column of the list, or with this variable; with `problem`, that problem.',
    schema: { type: 'string', maxLength: 300 },
  },
  needs_you: {
    description: 'Only rows that need a person, or only those that fall back to a default.',
    schema: { type: 'boolean' },
  },
} as const;

interface GivenFilter {
  problem?: string | undefined;
  column?: string | undefined;
  needs_you?: boolean | undefined;
}

/** Reads the filter of a query. Throws BAD_REQUEST for an unknown code or column. */
export function readFilter(
  parts: { campaignStore: CampaignStore },
  campaign: Campaign,
  { problem, column, needs_you: needsYou }: GivenFilter,
): ProblemFilter {
  if (problem !== undefined && !problemCodes.some((code) => code === problem)) {
    const message = `is "${problem.slice(0, 40)}", expected one of ${problemCodes.join(', ')}`;
    throw badBody([{ path: 'problem', message }], 'query');
  }
  const variables = column === undefined ? undefined : variablesOf(parts, campaign, column);
  return { code: problem, variables, needsYou };
}

/** The names under which problems of a column are stored: its variable, and itself for cells that cannot be read. */
function variablesOf(
  { campaignStore }: { campaignStore: CampaignStore },
  { id, listJson, mappingJson }: Campaign,
  given: string,
): string[] {
  const { columns } = JSON.parse(listJson) as ListFacts;
  const mapping = JSON.parse(mappingJson) as ColumnMapping;
  const proof = campaignStore.findRun(id, 'proof');
  const { by_column: counts = [] } = JSON.parse(proof?.countsJson ?? '{}') as {
    by_column?: ColumnCount[];
  };
  const variables = [...Object.values(mapping), ...counts.flatMap((count) => count.variable ?? [])];
  const form = keyForms(given).find((each) => columns.includes(each) || variables.includes(each));
  if (form === undefined) {
    const message = `is "${given.slice(0, 40)}", which is no column of the list; expected one of ${columns.slice(0, 20).join(', ')}`;
    throw badBody([{ path: 'column', message }], 'query');
  }
  const mapped = Object.hasOwn(mapping, form) ? mapping[form] : undefined;
  return [...new Set(mapped === undefined ? [form] : [mapped, form])];
}
