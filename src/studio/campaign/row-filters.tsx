/** Choice of the rows of a proof: those that need a person, those of a problem, and those of a column. */
import type { VNode } from 'preact';
import { problemCounts, problemName } from './problem-names.ts';
import { count, Download, resultName } from './results/run-parts.tsx';
import type { CampaignParts, Run } from './use-campaign.ts';

/** The chosen rows. An empty text chooses all. */
export interface RowFilter {
  need: '' | 'true' | 'false';
  code: string;
  /** A column of the list, or a variable without one. */
  column: string;
}

export const allRows: RowFilter = { need: '', code: '', column: '' };

/** The filter as the service reads it. */
export function filterQuery({ need, code, column }: RowFilter): URLSearchParams {
  const given = Object.entries({ needs_you: need, problem: code, column });
  return new URLSearchParams(given.filter(([, value]) => value !== ''));
}

interface FiltersProps extends Pick<CampaignParts, 'service' | 'campaign'> {
  run: Run;
  filter: RowFilter;
  choose: (filter: RowFilter) => void;
}

export function RowFilters(props: FiltersProps): VNode {
  const { run, filter, choose } = props;
  const { problems = 0, defaults = 0 } = run.counts as Record<string, number>;
  const toggle = (isChosen: boolean, chosen: Partial<RowFilter>, text: string, rows: number) => (
    <button
      type="button"
      key={text}
      aria-pressed={isChosen}
      onClick={() => choose({ ...filter, ...chosen })}
    >
      {text} <span>{count(rows)}</span>
    </button>
  );
  return (
    <>
      <div class="problem-filters" role="group" aria-label="Which rows">
        {toggle(
          Object.values(filter).every((value) => value === ''),
          allRows,
          'All problems',
          problems + defaults,
        )}
        {(['true', 'false'] as const).map((need) => {
          const isChosen = filter.need === need;
          const [text, rows] = need === 'true' ? ['Need you', problems] : ['Fall back', defaults];
          return rows > 0 && toggle(isChosen, { need: isChosen ? '' : need }, text, rows);
        })}
        {problemCounts(run.counts).map(([code, rows]) => {
          const isChosen = filter.code === code;
          return toggle(isChosen, { code: isChosen ? '' : code }, problemName(code), rows);
        })}
        <ColumnField {...props} />
      </div>
      {run.state === 'finished' && <Downloads {...props} />}
    </>
  );
}

/** The columns with problems. A column has as many rows as its most frequent problem, or more. */
function ColumnField({ run, filter, choose }: FiltersProps): VNode | null {
  const { by_column: counts = [] } = run.counts as {
    by_column?: { column: string | null; variable: string | null }[];
  };
  const columns = [...new Set(counts.flatMap(({ column, variable }) => column ?? variable ?? []))];
  if (columns.length < 2 && filter.column === '') return null;
  return (
    <label class="problem-column">
      Column{' '}
      <select
        value={filter.column}
        onChange={(event) => choose({ ...filter, column: event.currentTarget.value })}
      >
        <option value="">All columns</option>
        {columns.map((column) => (
          <option value={column}>{column}</option>
        ))}
      </select>
    </label>
  );
}

function Downloads({ service, campaign, filter }: FiltersProps): VNode {
  const path = `/v1/campaigns/${campaign.id}/problems.csv`;
  const name = resultName(campaign.name, 'problems.csv');
  return (
    <div class="campaign-actions">
      <Download
        service={service}
        path={`${path}?${filterQuery(filter).toString()}`}
        name={name}
        isQuiet
      >
        Download the problems
      </Download>
      <Download service={service} path={`${path}?all=true`} name={name} isQuiet>
        Download all rows
      </Download>
      <p class="soft">
        The chosen rows, or all, with a column for each problem. Correct the cells in a spreadsheet,
        and drop the file as a list: the added columns are left out.
      </p>
    </div>
  );
}
