/** The proof of a list: every row is laid out and checked. */
import { LRUCache } from 'lru-cache';
import { AppError } from '../../../foundation/errors.ts';
import { RenderOrder, defaultOrder } from '../../../render/order.ts';
import { badRowCode } from '../../store/campaigns/campaign-list.ts';
import type { RowProblem, StoredRow } from '../../store/campaigns/campaign-list.ts';
import { countRow, emptyCounts, verdict } from '../campaign.ts';
import type { Problem, ProofCounts } from '../campaign.ts';
import { countCorrected } from './corrected-columns.ts';
import type { CorrectedColumn } from './corrected-columns.ts';
import { isDirt, ListProof } from '../dirt/list-proof.ts';
import type { ListDirt } from '../dirt/survey.ts';
import { emptyExtremes, noteRow, textOf } from './extremes.ts';
import type { Extremes } from './extremes.ts';
import { recipientOf } from '../list/recipient.ts';
import { fileBytesMax, RenderProblems } from './render-problems.ts';
import type { DrawnRow } from './render-problems.ts';
import type { CampaignRenderer } from '../renderer.ts';
import { checkCells } from '../list/row-values.ts';
import type { ProofSubject } from './subject.ts';
import { writeSheet } from './sheet.ts';
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
  /** What the whole list says of its columns; absent in a checkpoint of an earlier release. */
  dirt?: ListDirt;
}

/** Checks rows; at the end it draws the contact sheet. */
export class Proof implements RowWork {
  readonly #subject: ProofSubject;
  readonly #known = new LRUCache<string, readonly Problem[]>({ max: knownValuesMax });
  #problems: RenderProblems | undefined;
  #dirt: ListProof | undefined;
  /** The order of the default image. */
  #defaults: RenderOrder | undefined;
  #state: ProofState = {
    counts: emptyCounts(),
    extremes: emptyExtremes(),
    corrected: [],
  };

  constructor(subject: ProofSubject) {
    this.#subject = subject;
  }

  async start(stateJson?: string): Promise<void> {
    if (stateJson === undefined) this.#subject.images.clear();
    // A checkpoint of an earlier release has neither corrected columns nor dirt.
    else this.#state = { ...this.#state, ...(JSON.parse(stateJson) as Partial<ProofState>) };
    this.#dirt = await ListProof.open(this.#subject, this.#state.dirt);
    this.#state.dirt = this.#dirt.dirt;
    this.#problems = await this.#proveTemplate();
  }

  stateJson(): string {
    return JSON.stringify(this.#state);
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
    const columns = this.#dirt?.columns ?? [];
    return { ...rows, ...codes, verdict: this.#verdict(), template, corrected, columns };
  }

  async take(rows: readonly StoredRow[]): Promise<RowProblem[]> {
    const proved = await mapConcurrently(rows, 1, (row) => this.#check(row));
    await this.#renderAll(proved);
    const found: RowProblem[] = [];
    await mapConcurrently(proved, 1, ({ row, problems, text, corrected }) => {
      countRow(this.#state.counts, problems);
      this.#countCorrected(row, corrected);
      noteRow(this.#state.extremes, row, text, problems);
      for (const { code, variable = null, message } of problems) {
        // The import of the list has stored problems of bad rows.
        if (code !== badRowCode) found.push({ row, code, variable, message });
      }
    });
    return found;
  }

  async finish(): Promise<void> {
    await writeSheet(this.#subject, this.#state.extremes, this.#verdict());
  }

  #verdict(): string {
    return verdict(this.#state.counts, this.#unmapped()) + (this.#dirt?.sentence ?? '');
  }

  #unmapped(): string[] {
    const { columns, template } = this.#subject;
    const mapped = new Set(columns.map(({ variable }) => variable.name));
    return [...template.variables.values()]
      .filter(({ name, from }) => from === undefined && !mapped.has(name))
      .map(({ name }) => name);
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
    if (cellsJson === null) {
      return { row, problems: [{ code: badRowCode, message: '' }], text: '' };
    }
    const { template, columns, options, tables } = this.#subject;
    const cells = JSON.parse(cellsJson) as string[];
    const { values, problems, corrected } = checkCells(template, columns, cells, tables);
    const duplicate = this.#findDuplicate(stored, cells);
    if (duplicate !== undefined) problems.push(duplicate);
    problems.push(...(this.#dirt?.find(cells, problems) ?? []));
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
      if (known !== undefined) addDrawn(row, known);
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
        for (const row of waiting.get(key)?.rows ?? []) addDrawn(row, problems);
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

/** Codes of what dirt does to an image. */
const effects: ReadonlySet<string> = new Set(['IMAGE_FAILED', 'CODE_FAILED', 'FORMAT_FAILED']);

/** Adds what the render of a row shows, unless the dirt of the same variable is its cause. */
function addDrawn({ problems }: CheckedRow, drawn: readonly Problem[]): void {
  const dirty = new Set(problems.filter(isDirt).map(({ variable }) => variable));
  problems.push(
    ...drawn.filter(({ code, variable }) => !effects.has(code) || !dirty.has(variable)),
  );
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
