/** Pages of rows in which a proof found problems, with the image of the chosen row. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { loadFile } from '../state/service.ts';
import type { Service } from '../state/service.ts';
import type { Template } from '#language/schema/template.ts';
import { explainError } from '../wording.ts';
import { problemCounts, problemName } from './problem-names.ts';
import { rowValues, textMapping } from './row-values.ts';
import type { ProblemRow } from './row-values.ts';
import type { CampaignParts, Run } from './use-campaign.ts';
import { useFile } from './use-file.ts';

/** Rows of a page. Bounds the size of the table. */
const pageRows = 25;

/** Maximum number of columns in the table. A list may have 200. */
const columnsMax = 12;

interface ProblemRowsProps extends CampaignParts {
  run: Run;
  /** Opens the template with the values of a row. */
  open: (values: Readonly<Record<string, string>>) => void;
}

export function ProblemRows(props: ProblemRowsProps): VNode {
  const { service, campaign, run } = props;
  const [filter, setFilter] = useState('');
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
  const choose = (code: string): void => {
    setFilter(code);
    setPages([]);
  };
  const turnTo = (turned: readonly number[]): void => {
    if (!isBusy) setPages(turned);
  };
  return (
    <div class="problem-rows">
      <Filters counts={run.counts} filter={filter} choose={choose} />
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

interface FiltersProps {
  counts: Readonly<Record<string, unknown>>;
  filter: string;
  choose: (code: string) => void;
}

function Filters({ counts, filter, choose }: FiltersProps): VNode {
  const codes = problemCounts(counts);
  return (
    <div class="problem-filters" role="group" aria-label="Which rows">
      <button type="button" aria-pressed={filter === ''} onClick={() => choose('')}>
        All problems
      </button>
      {codes.map(([code, rows]) => (
        <button
          type="button"
          key={code}
          aria-pressed={filter === code}
          onClick={() => choose(code)}
        >
          {problemName(code)} <span>{rows.toLocaleString('en-US')}</span>
        </button>
      ))}
    </div>
  );
}

/** Number of rows that a proof has found so far: with problem `filter`, or with any if it is empty. */
function foundRows({ counts }: Run, filter: string): number {
  const { problems = 0, defaults = 0, [filter]: found = 0 } = counts as Record<string, number>;
  return filter === '' ? problems + defaults : found;
}

interface RowQuery {
  /** A problem code, or empty for any problem. */
  filter: string;
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
 * Reads a page of rows. Reads the page again while it is not full and the proof finds more rows. Until a page arrives,
 * `isBusy` is true and the rows are those of the page before.
 */
function useRows(
  service: Service,
  id: string,
  { filter, after, found }: RowQuery,
): ReadRows & { isBusy: boolean } {
  const [read, setRead] = useState<ReadRows & { path?: string }>({});
  const query = new URLSearchParams({ after: String(after), limit: String(pageRows + 1) });
  if (filter !== '') query.set('problem', filter);
  const path = `/v1/campaigns/${id}/rows?${query.toString()}`;
  const isFull = (read.rows?.length ?? 0) > pageRows;
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
        <tbody>
          {rows.map(({ row, line, problems, cells }) => (
            <tr
              key={row}
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
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Codes of problems for which the service refuses a render. */
const refusals = new Set(['VALUE_TOO_LONG', 'BAD_VALUE', 'RENDER_FAILED']);

/**
 * Reasons for which the service would refuse the image of a row. A bad cell of a data table is no reason: the render
 * uses the default or cuts the text.
 */
function refusalsOf({ problems }: ProblemRow, { variables }: Template): string[] {
  const ofTables = new Set(variables.flatMap(({ name, from }) => (from === undefined ? [] : name)));
  return problems
    .filter(({ code, variable }) => refusals.has(code) && !ofTables.has(variable ?? ''))
    .map(({ message }) => message);
}

function RowImage({
  service,
  campaign,
  template,
  run,
  row,
  open,
}: ProblemRowsProps & { row: ProblemRow }): VNode {
  const isReadable = Object.keys(row.cells).length > 0;
  const values = rowValues(textMapping(campaign), row.cells, template);
  const { size, format, scale } = run.options;
  const body = JSON.stringify({ values, version: run.version, size, format, scale });
  const headers = { 'Content-Type': 'application/json' };
  const path = `/v1/render/${encodeURIComponent(campaign.template)}`;
  const init = { method: 'POST', headers, body };
  const refused = refusalsOf(row, template);
  const isDrawn = isReadable && refused.length === 0;
  const { url, problem } = useFile(service, isDrawn ? body : undefined, path, init);
  const isBusy = isDrawn && url === undefined && problem === undefined;
  return (
    <aside class="row-image" aria-label={`Image of row ${row.row}`}>
      <h3>Row {row.row}</h3>
      <div class="row-image-box" aria-busy={isBusy}>
        {url !== undefined && <img src={url} alt={`Row ${row.row} as it is drawn`} />}
        {problem !== undefined && <p class="problem lines">{problem}</p>}
        {!isReadable && <p class="soft">A row that cannot be read has no image.</p>}
        {isReadable && !isDrawn && (
          <p class="problem lines">{['This row has no image:', ...refused].join('\n')}</p>
        )}
      </div>
      {isReadable && (
        <>
          <button type="button" onClick={() => open(values)}>
            Open in the editor
          </button>
          <p class="soft">
            The editor shows this row. Correct the template, publish it, and prove the list again.
          </p>
        </>
      )}
    </aside>
  );
}
