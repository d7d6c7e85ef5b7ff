/** Pages of rows in which a proof found problems, with the image of the chosen row. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { loadFile } from '../state/service.ts';
import type { Service } from '../state/service.ts';
import { explainError } from '../wording.ts';
import { problemName } from './problem-names.ts';
import { allRows, filterQuery, RowFilters } from './row-filters.tsx';
import type { RowFilter } from './row-filters.tsx';
import { RowImage } from './row-image.tsx';
import type { RowImageProps } from './row-image.tsx';
import type { ProblemRow } from './row-values.ts';
import type { Run } from './use-campaign.ts';

/** Rows of a page. Bounds the size of the table. */
const pageRows = 25;

/** Maximum number of columns in the table. A list may have 200. */
const columnsMax = 12;

type ProblemRowsProps = Omit<RowImageProps, 'row'>;

export function ProblemRows(props: ProblemRowsProps): VNode {
  const { service, campaign, run } = props;
  const [filter, setFilter] = useState(allRows);
  // The last row of each page before this one.
  const [pages, setPages] = useState<readonly number[]>([]);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const after = pages.at(-1) ?? 0;
  const { rows, problem, isBusy } = useRows(service, campaign.id, {
    filter,
    after,
    found: foundRows(run, filter),
  });
  const shown = rows?.slice(0, pageRows) ?? [];
  const hasMore = (rows?.length ?? 0) > pageRows;
  const current = shown.find(({ row }) => row === chosen) ?? shown[0];
  const choose = (next: RowFilter): void => {
    setFilter(next);
    setPages([]);
  };
  const turnTo = (turned: readonly number[]): void => {
    if (!isBusy) setPages(turned);
  };
  return (
    <div class="problem-rows">
      <RowFilters {...{ service, campaign, run, filter, choose }} />
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="problem-view">
        <div class="problem-list" aria-busy={isBusy}>
          <RowTable {...props} rows={shown} current={current} choose={setChosen} />
          {(pages.length > 0 || hasMore) && (
            // `disabled` would take the focus of the keyboard from a button on each page.
            <div class="campaign-actions">
              <button
                type="button"
                disabled={pages.length === 0}
                aria-disabled={isBusy}
                onClick={() => turnTo(pages.slice(0, -1))}
              >
                Previous rows
              </button>
              <button
                type="button"
                disabled={!hasMore}
                aria-disabled={isBusy}
                onClick={() => turnTo([...pages, shown.at(-1)?.row ?? 0])}
              >
                Next rows
              </button>
            </div>
          )}
        </div>
        {current !== undefined && <RowImage key={current.row} {...props} row={current} />}
      </div>
    </div>
  );
}

/** Number of rows that a proof has found so far: with the chosen problem, or with any. */
function foundRows({ counts }: Run, { code }: RowFilter): number {
  const { problems = 0, defaults = 0, [code]: found = 0 } = counts as Record<string, number>;
  return code === '' ? problems + defaults : found;
}

interface RowQuery {
  filter: RowFilter;
  /** Number of the last row before the page. */
  after: number;
  found: number;
}

interface ReadRows {
  /** At most `pageRows` + 1 rows. The extra row means that there is a next page. */
  rows?: ProblemRow[];
  problem?: string;
}

/**
 * Reads a page of rows. Reads the page again while the proof finds more rows that belong to it. Until a page arrives,
 * `isBusy` is true and the rows are those of the page before.
 */
function useRows(
  service: Service,
  id: string,
  { filter, after, found }: RowQuery,
): ReadRows & { isBusy: boolean } {
  const [read, setRead] = useState<ReadRows & { path?: string }>({});
  const query = filterQuery(filter);
  query.set('after', String(after));
  query.set('limit', String(pageRows + 1));
  const path = `/v1/campaigns/${id}/rows?${query.toString()}`;
  // Rows that need a person come before those that fall back: only a page without the latter is finished.
  const isFull =
    (read.rows?.length ?? 0) > pageRows && read.rows?.every((row) => row.needs_you) === true;
  useEffect(() => {
    const running = new AbortController();
    const load = async (): Promise<void> => {
      const response = await loadFile(service, path, { signal: running.signal });
      const lines = (await response.text()).split('\n').filter((line) => line !== '');
      if (running.signal.aborted) return;
      setRead({ path, rows: lines.map((line) => JSON.parse(line) as ProblemRow) });
    };
    load().catch((error: unknown) => {
      if (!running.signal.aborted) setRead({ path, problem: explainError(error) });
    });
    return () => running.abort();
  }, [path, isFull ? undefined : found]);
  return { ...read, isBusy: read.path !== path };
}

interface RowTableProps extends ProblemRowsProps {
  rows: readonly ProblemRow[];
  current: ProblemRow | undefined;
  choose: (row: number) => void;
}

function RowTable({ campaign, rows, current, choose }: RowTableProps): VNode {
  const { columns: all, recipient_column: recipient } = campaign.list;
  const isShown = (column: string): boolean =>
    column === recipient || Object.hasOwn(campaign.mapping, column);
  const columns = [...all.filter(isShown), ...all.filter((column) => !isShown(column))].slice(
    0,
    columnsMax,
  );
  return (
    <div class="table-scroll" role="region" tabindex={0} aria-label="Rows with problems">
      <table class="problem-table">
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Problems</th>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        {[true, false].map((needsYou) => (
          <Part
            key={needsYou}
            needsYou={needsYou}
            rows={rows.filter((row) => row.needs_you === needsYou)}
            {...{ columns, current, choose }}
          />
        ))}
      </table>
    </div>
  );
}

interface PartProps extends Pick<RowTableProps, 'rows' | 'current' | 'choose'> {
  needsYou: boolean;
  columns: readonly string[];
}

/** The rows of one part below its heading. */
function Part({ needsYou, rows, columns, current, choose }: PartProps): VNode | null {
  if (rows.length === 0) return null;
  return (
    <tbody>
      <tr class="problem-part">
        <th scope="rowgroup" colSpan={columns.length + 2}>
          {needsYou ? 'These rows need you' : 'These rows fall back to a default'}
        </th>
      </tr>
      {rows.map((each) => (
        <Row key={each.row} {...{ columns, current, choose }} shown={each} />
      ))}
    </tbody>
  );
}

interface RowProps extends Omit<PartProps, 'rows' | 'needsYou'> {
  shown: ProblemRow;
}

function Row({ shown, columns, current, choose }: RowProps): VNode {
  const { row, line, problems, cells } = shown;
  return (
    <tr
      data-chosen={row === current?.row}
      // The button in the row is for keyboard users.
      onClick={() => choose(row)}
    >
      <th scope="row">
        <button
          type="button"
          aria-pressed={row === current?.row}
          aria-label={`Show row ${row}`}
          title={`Line ${line} of the file`}
        >
          {row}
        </button>
      </th>
      <td>
        <ul>
          {problems.map(({ code, message }) => (
            <li key={message}>
              <strong>{problemName(code)}</strong> {message}
            </li>
          ))}
        </ul>
      </td>
      {columns.map((column) => (
        <td key={column} class="cell">
          {cells[column]}
        </td>
      ))}
    </tr>
  );
}
