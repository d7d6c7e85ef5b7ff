/** Renders rows in jobs, and finds the problems that their layout and image show. */
import { LRUCache } from 'lru-cache';
import { AppError } from '../../../foundation/errors.ts';
import type { RenderOrder } from '../../../render/order.ts';
import type { Problem } from '../campaign.ts';
import type { CampaignRenderer } from '../renderer.ts';
import { mapConcurrently } from '../run-rows.ts';
import { fileBytesMax } from './render-problems.ts';
import type { DrawnRow, RenderProblems } from './render-problems.ts';

/** Upper bound of the cached results of renders, by values: first names and products repeat in lists. */
const knownValuesMax = 20_000;

/** Upper bound of the rows of a job. The messages of a job cost as much as the layout of a third of a row. */
const jobRowsMax = 5;

/** Renders the rows of one proof. */
export class RowRenders {
  readonly #renderer: CampaignRenderer;
  readonly #problems: RenderProblems;
  /** Images of the template, which are no problem of a row. */
  readonly #defaultSources: readonly string[];
  readonly #known = new LRUCache<string, readonly Problem[]>({ max: knownValuesMax });

  constructor(
    renderer: CampaignRenderer,
    problems: RenderProblems,
    defaultSources: readonly string[],
  ) {
    this.#renderer = renderer;
    this.#problems = problems;
    this.#defaultSources = defaultSources;
  }

  /** The problems of each order. Orders with the same values share a render. */
  async prove(orders: readonly RenderOrder[]): Promise<(readonly Problem[])[]> {
    const found = new Map<string, readonly Problem[]>();
    const waiting = new Map<string, RenderOrder>();
    const keys = orders.map(keyOf);
    for (const [index, order] of orders.entries()) {
      const key = keys[index] ?? '';
      const known = this.#known.get(key);
      if (known === undefined) waiting.set(key, order);
      else found.set(key, known);
    }
    const jobs = await jobsOf([...waiting.values()]);
    await mapConcurrently(jobs, this.#renderer.concurrency, async (job) => {
      const problems = await this.#render(job);
      for (const [index, order] of job.entries()) {
        const key = keyOf(order);
        this.#known.set(key, problems[index] ?? []);
        found.set(key, problems[index] ?? []);
      }
    });
    return keys.map((key) => found.get(key) ?? []);
  }

  /** Returns the problems of each order. If a job of several orders fails, each order is rendered alone. */
  async #render(orders: readonly RenderOrder[]): Promise<(readonly Problem[])[]> {
    const drawn = await proveOrNone(this.#renderer, orders);
    const found: (readonly Problem[])[] = [];
    for (const [index, order] of orders.entries()) {
      const row = drawn[index];
      found.push(row === undefined ? await this.#renderAlone(order) : this.#find(row, order));
    }
    return found;
  }

  async #renderAlone(order: RenderOrder): Promise<readonly Problem[]> {
    try {
      const [row] = await this.#renderer.prove([order], fileBytesMax);
      return this.#find(row as DrawnRow, order);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [{ code: 'RENDER_FAILED', message: error.message }];
    }
  }

  #find(row: DrawnRow, { values, sources }: RenderOrder): Problem[] {
    const rowSources = sources.filter((source) => !this.#defaultSources.includes(source));
    const slow = this.#renderer.slowImages(rowSources, values);
    return [...this.#problems.find(row, values), ...slow];
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
