/** The proof of a list: every row is laid out and checked. */
import { LRUCache } from 'lru-cache';
import { RenderOrder, defaultOrder } from '../../render/order.ts';
import type { ResolvedValues } from '../../render/values.ts';
import { badRowCode } from '../../store/campaigns/campaign-list.ts';
import type { RowProblem, StoredRow } from '../../store/campaigns/campaign-list.ts';
import { countRow, emptyCounts, verdict } from '../campaign.ts';
import type { Problem, ProofCounts } from '../campaign.ts';
import { emptyExtremes, noteRow, textOf } from './extremes.ts';
import type { Extremes } from './extremes.ts';
import { recipientOf } from '../list/recipient.ts';
import { fileBytesMax, RenderProblems } from './render-problems.ts';
import { checkCells } from '../list/row-values.ts';
import type { ProofSubject } from './subject.ts';
import { writeSheet } from './sheet.ts';
import { mapConcurrently } from '../run-rows.ts';
import type { RowWork } from '../run-rows.ts';

/** Problems of rendered values: lists repeat first names and products. */
const knownValuesMax = 20_000;

/** State of a checkpoint. */
interface ProofState {
  counts: ProofCounts;
  extremes: Extremes;
}

/** Proves rows; at the end it draws the contact sheet. */
export class Proof implements RowWork {
  readonly #subject: ProofSubject;
  readonly #known = new LRUCache<string, readonly Problem[]>({ max: knownValuesMax });
  #problems: RenderProblems | undefined;
  #state: ProofState = { counts: emptyCounts(), extremes: emptyExtremes() };

  constructor(subject: ProofSubject) {
    this.#subject = subject;
  }

  async start(stateJson?: string): Promise<void> {
    if (stateJson === undefined) this.#subject.images.clear();
    else this.#state = JSON.parse(stateJson) as ProofState;
    this.#problems = await this.#proveTemplate();
  }

  stateJson(): string {
    return JSON.stringify(this.#state);
  }

  counts(): Readonly<Record<string, unknown>> {
    const { counts } = this.#state;
    const { codes, ...rows } = counts;
    const template = (this.#problems?.ofTemplate ?? []).map(({ code, message }) => ({
      code,
      message,
    }));
    return { ...rows, ...codes, verdict: verdict(counts, this.#unmapped()), template };
  }

  async take(rows: readonly StoredRow[]): Promise<RowProblem[]> {
    const { renderer } = this.#subject;
    const proved = await mapConcurrently(rows, renderer.concurrency, (row) => this.#prove(row));
    const found: RowProblem[] = [];
    for (const [index, { problems, text }] of proved.entries()) {
      const { row } = rows[index] as StoredRow;
      countRow(this.#state.counts, problems);
      noteRow(this.#state.extremes, row, text, problems);
      for (const { code, variable = null, message } of problems) {
        // The reader of the list stored those.
        if (code !== badRowCode) found.push({ row, code, variable, message });
      }
    }
    return found;
  }

  async finish(): Promise<void> {
    await writeSheet(
      this.#subject,
      this.#state.extremes,
      verdict(this.#state.counts, this.#unmapped()),
    );
  }

  #unmapped(): string[] {
    const { columns, template } = this.#subject;
    const mapped = new Set(columns.map(({ variable }) => variable.name));
    return [...template.variables.values()]
      .filter(({ name, from }) => from === undefined && !mapped.has(name))
      .map(({ name }) => name);
  }

  /** What is wrong with the template itself is said once. */
  async #proveTemplate(): Promise<RenderProblems> {
    const { template, options, renderer } = this.#subject;
    const order = defaultOrder(template, options, { onImageError: 'default' });
    const drawn = await renderer.draw(order, { proof: { fileBytesMax } });
    return new RenderProblems(template, drawn);
  }

  async #prove(stored: StoredRow): Promise<{ problems: Problem[]; text: string }> {
    if (stored.cellsJson === null) {
      return { problems: [{ code: badRowCode, message: '' }], text: '' };
    }
    const { template, columns, tables } = this.#subject;
    const cells = JSON.parse(stored.cellsJson) as string[];
    const { values, problems } = checkCells(template, columns, cells, tables);
    const duplicate = this.#findDuplicate(stored, cells);
    if (duplicate !== undefined) problems.push(duplicate);
    problems.push(...(await this.#render(values)));
    return { problems, text: textOf(values, template) };
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

  async #render(values: ResolvedValues): Promise<readonly Problem[]> {
    const { template, options, renderer } = this.#subject;
    const key = JSON.stringify([...values]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const order = new RenderOrder(template, options, values, { onImageError: 'default' });
    const drawn = await renderer.tryDraw(order, { proof: { fileBytesMax } });
    const problems =
      'code' in drawn
        ? [drawn]
        : [
            ...(this.#problems as RenderProblems).find(drawn, values),
            ...renderer.slowImages(order.sources),
          ];
    this.#known.set(key, problems);
    return problems;
  }
}
