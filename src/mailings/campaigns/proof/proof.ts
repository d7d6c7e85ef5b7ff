/** The proof of a list: every row is laid out and checked. */
import { LRUCache } from 'lru-cache';
import { AppError } from '../../../foundation/errors.ts';
import { RenderOrder, defaultOrder } from '../../../render/order.ts';
import type { StoredRow } from '../../store/campaigns/campaign-list.ts';
import { badRowCode } from '../../store/campaigns/problem-rows.ts';
import type { RowProblem } from '../../store/campaigns/problem-rows.ts';
import { countRow, emptyCounts, needsPerson } from '../campaign.ts';
import type { Problem, ProofCounts } from '../campaign.ts';
import { ColumnCounts } from './column-counts.ts';
import type { ColumnCount } from './column-counts.ts';
import { countCorrected } from './corrected-columns.ts';
import type { CorrectedColumn } from './corrected-columns.ts';
import { emptyColumnsText, findEmptyVariables } from './empty-columns.ts';
import { emptyExtremes, noteRow, textOf } from './extremes.ts';
import type { Extremes } from './extremes.ts';
import { recipientOf } from '../list/recipient.ts';
import { fileBytesMax, RenderProblems } from './render-problems.ts';
import type { DrawnRow } from './render-problems.ts';
import type { CampaignRenderer } from '../renderer.ts';
import { checkCells } from '../list/row-values.ts';
import type { ProofSubject } from './subject.ts';
import { writeSheet } from './sheet.ts';
import { verdict } from './verdict.ts';
import { mapConcurrently } from '../run-rows.ts';
import type { RowWork } from '../run-rows.ts';

/** Upper bound of the cached results of renders, by values: first names and products repeat in lists. */
const knownValuesMax = 20_000;

/** Upper bound of the rows of a job. The messages of a job cost as much as the layout of a third of a row. */
const jobRowsMax = 5;

/** A row before its render: the problems of its cells, and the order to render. */
interface CheckedRow {
  row: number;
  problems: Problem[];
  text: string;
  corrected?: ReadonlySet<string>;
  order?: RenderOrder;
}

/** State of a checkpoint. */
interface ProofState {
  counts: ProofCounts;
  extremes: Extremes;
  corrected: CorrectedColumn[];
  byColumn: ColumnCount[];
}

/** Checks rows; at the end it draws the contact sheet. */
export class Proof implements RowWork {
  readonly #subject: ProofSubject;
  readonly #known = new LRUCache<string, readonly Problem[]>({ max: knownValuesMax });
  #problems: RenderProblems | undefined;
  /** The order of the default image. */
  #defaults: RenderOrder | undefined;
  #state: ProofState = {
    counts: emptyCounts(),
    extremes: emptyExtremes(),
    corrected: [],
    byColumn: [],
  };
  #byColumn: ColumnCounts;
  /** Variables without a value in any row, with the indexes of their columns. */
  #empty: ReadonlyMap<string, readonly number[]> = new Map();

  constructor(subject: ProofSubject) {
    this.#subject = subject;
    this.#byColumn = this.#countColumns();
  }

  async start(stateJson?: string): Promise<void> {
    if (stateJson === undefined) this.#subject.images.clear();
    // A checkpoint of an earlier release has fewer properties.
    else this.#state = { ...this.#state, ...(JSON.parse(stateJson) as Partial<ProofState>) };
    this.#byColumn = this.#countColumns();
    this.#empty = await findEmptyVariables(this.#subject);
    this.#problems = await this.#proveTemplate();
  }

  stateJson(): string {
    return JSON.stringify({ ...this.#state, byColumn: this.#byColumn.all() });
  }

  counts(): Readonly<Record<string, unknown>> {
    const { counts, corrected } = this.#state;
    const { codes, ...rows } = counts;
    const { sources = [], values = new Map<string, string>() } = this.#defaults ?? {};
    const slow = this.#subject.renderer.slowImages(sources, values);
    const template = [...(this.#problems?.ofTemplate ?? []), ...slow].map(({ code, message }) => ({
      code,
      message,
    }));
    const byColumn = this.#byColumn.shown();
    return {
      ...rows,
      ...codes,
      verdict: verdict(counts, { withoutValue: this.#withoutValue(), byColumn }),
      by_column: byColumn,
      template,
      corrected,
    };
  }

  async take(rows: readonly StoredRow[]): Promise<RowProblem[]> {
    const proved = await mapConcurrently(rows, 1, (row) => this.#check(row));
    await this.#renderAll(proved);
    const found: RowProblem[] = [];
    await mapConcurrently(proved, 1, ({ row, problems, text, corrected }) => {
      countRow(this.#state.counts, problems);
      this.#byColumn.add(problems);
      this.#countCorrected(row, corrected);
      noteRow(this.#state.extremes, row, text, problems);
      const needsYou = needsPerson(problems) ? 1 : 0;
      for (const { code, variable = null, message } of problems) {
        // The import of the list has stored problems of bad rows.
        if (code !== badRowCode) found.push({ row, code, variable, message, needsYou });
      }
    });
    return found;
  }

  async finish(): Promise<void> {
    await writeSheet(
      this.#subject,
      this.#state.extremes,
      verdict(this.#state.counts, { withoutValue: this.#withoutValue() }),
    );
  }

  /** The variables without a column, and those without a value in any row, in words. */
  #withoutValue(): string[] {
    const { columns, template, facts } = this.#subject;
    const mapped = new Set(columns.map(({ variable }) => variable.name));
    return [...template.variables.values()].flatMap(({ name, from }) => {
      const empty = this.#empty.get(name);
      if (empty !== undefined) return [`"${name}" (${emptyColumnsText(empty, facts.columns)})`];
      return from === undefined && !mapped.has(name) ? [`"${name}"`] : [];
    });
  }

  #countColumns(): ColumnCounts {
    const { columns: mapped, facts } = this.#subject;
    return new ColumnCounts(this.#state.byColumn, { mapped, columns: facts.columns });
  }

  /** Renders the default image, so that problems of the template are reported once and not in each row. */
  async #proveTemplate(): Promise<RenderProblems> {
    const { template, options, renderer } = this.#subject;
    const order = defaultOrder(template, options, { onImageError: 'default' });
    this.#defaults = order;
    const [drawn] = await renderer.prove([order], fileBytesMax);
    return new RenderProblems(template, drawn as DrawnRow);
  }

  #check(stored: StoredRow): CheckedRow {
    const { row, cellsJson } = stored;
    const { template, columns, options, tables, list } = this.#subject;
    if (cellsJson === null) {
      const found = list.problems.of(row).map(({ variable, message }): Problem => {
        return { code: badRowCode, ...(variable === null ? {} : { variable }), message };
      });
      const unknown: Problem = { code: badRowCode, message: '' };
      return { row, problems: found.length > 0 ? found : [unknown], text: '' };
    }
    const cells = JSON.parse(cellsJson) as string[];
    const checked = checkCells(template, columns, cells, tables);
    const { values, corrected } = checked;
    const problems = checked.problems.filter(
      ({ code, variable = '' }) => code !== 'EMPTY' || !this.#empty.has(variable),
    );
    const duplicate = this.#findDuplicate(stored, cells);
    if (duplicate !== undefined) problems.push(duplicate);
    const order = new RenderOrder(template, options, values, { onImageError: 'default' });
    return { row, problems, text: textOf(values, template), corrected, order };
  }

  #countCorrected(row: number, names: ReadonlySet<string> = new Set()): void {
    const { columns: mapped, facts } = this.#subject;
    countCorrected(this.#state.corrected, row, names, { mapped, columns: facts.columns });
  }

  #findDuplicate({ row, digest }: StoredRow, cells: readonly string[]): Problem | undefined {
    const { list, facts } = this.#subject;
    const first = digest === null ? undefined : list.firstBefore(row, digest);
    if (first === undefined) return undefined;
    const same = recipientOf(facts, JSON.parse(first.cellsJson ?? '[]') as string[]);
    // The digest is short: two recipients in a billion lists have the same one.
    if (same !== recipientOf(facts, cells)) return undefined;
    const { recipientColumn } = facts;
    const what = recipientColumn === undefined ? 'the whole row' : `"${recipientColumn}"`;
    return { code: 'DUPLICATE', message: `${what} is that of row ${first.row}` };
  }

  /** Adds the problems that layout and image of each row show. Rows with the same values share a render. */
  async #renderAll(rows: readonly CheckedRow[]): Promise<void> {
    const { renderer } = this.#subject;
    const waiting = new Map<string, { order: RenderOrder; rows: CheckedRow[] }>();
    for (const row of rows) {
      if (row.order === undefined) continue;
      const key = keyOf(row.order);
      const known = this.#known.get(key);
      if (known !== undefined) row.problems.push(...known);
      else if (waiting.has(key)) waiting.get(key)?.rows.push(row);
      else waiting.set(key, { order: row.order, rows: [row] });
    }
    const jobs = await jobsOf([...waiting.values()].map(({ order }) => order));
    await mapConcurrently(jobs, renderer.concurrency, async (orders) => {
      const found = await this.#render(orders);
      for (const [index, order] of orders.entries()) {
        const key = keyOf(order);
        const problems = found[index] ?? [];
        this.#known.set(key, problems);
        for (const row of waiting.get(key)?.rows ?? []) row.problems.push(...problems);
      }
    });
  }

  /** Returns the problems of each order. If a job of several orders fails, each order is rendered alone. */
  async #render(orders: readonly RenderOrder[]): Promise<(readonly Problem[])[]> {
    const { renderer } = this.#subject;
    const drawn = await proveOrNone(renderer, orders);
    const found: (readonly Problem[])[] = [];
    for (const [index, order] of orders.entries()) {
      const row = drawn[index];
      found.push(row === undefined ? await this.#renderAlone(order) : this.#find(row, order));
    }
    return found;
  }

  async #renderAlone(order: RenderOrder): Promise<readonly Problem[]> {
    try {
      const [row] = await this.#subject.renderer.prove([order], fileBytesMax);
      return this.#find(row as DrawnRow, order);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [{ code: 'RENDER_FAILED', message: error.message }];
    }
  }

  #find(row: DrawnRow, { values, sources }: RenderOrder): Problem[] {
    const rowSources = sources.filter((source) => !this.#defaults?.sources.includes(source));
    const slow = this.#subject.renderer.slowImages(rowSources, values);
    return [...(this.#problems as RenderProblems).find(row, values), ...slow];
  }
}

function keyOf({ values }: RenderOrder): string {
  return JSON.stringify([...values]);
}

/** Groups orders with the same images into jobs of up to `jobRowsMax`. */
async function jobsOf(orders: readonly RenderOrder[]): Promise<RenderOrder[][]> {
  const jobs: RenderOrder[][] = [];
  const open = new Map<string, RenderOrder[]>();
  await mapConcurrently(orders, 1, (order) => {
    const sources = order.sources.join('\n');
    const job = open.get(sources);
    if (job !== undefined && job.length < jobRowsMax) job.push(order);
    else {
      const started = [order];
      open.set(sources, started);
      jobs.push(started);
    }
  });
  return jobs;
}

/** Renders a job of several orders. Returns an empty list if the job fails, or for a single order. */
async function proveOrNone(
  renderer: CampaignRenderer,
  orders: readonly RenderOrder[],
): Promise<(DrawnRow | undefined)[]> {
  if (orders.length === 1) return [];
  try {
    return await renderer.prove(orders, fileBytesMax);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
