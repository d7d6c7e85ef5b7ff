/** The proof of a list: every row is laid out and checked. */
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
import { isDirt, ListProof } from '../dirt/list-proof.ts';
import type { ListDirt } from '../dirt/survey.ts';
import { emptyColumnsText, findEmptyVariables } from './empty-columns.ts';
import { emptyExtremes, noteRow, textOf } from './extremes.ts';
import type { Extremes } from './extremes.ts';
import { recipientOf } from '../list/recipient.ts';
import { fileBytesMax, RenderProblems } from './render-problems.ts';
import type { DrawnRow } from './render-problems.ts';
import { checkCells } from '../list/row-values.ts';
import { RowRenders } from './row-renders.ts';
import type { ProofSubject } from './subject.ts';
import { writeSheet } from './sheet.ts';
import { verdict } from './verdict.ts';
import { mapConcurrently } from '../run-rows.ts';
import type { RowWork } from '../run-rows.ts';

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
  /** What the whole list says of its columns; absent in a checkpoint of an earlier release. */
  dirt?: ListDirt;
}

/** Checks rows; at the end it draws the contact sheet. */
export class Proof implements RowWork {
  readonly #subject: ProofSubject;
  #renders: RowRenders | undefined;
  #problems: RenderProblems | undefined;
  #dirt: ListProof | undefined;
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
    this.#dirt = await ListProof.open(this.#subject, this.#state.dirt);
    this.#state.dirt = this.#dirt.dirt;
    this.#problems = await this.#proveTemplate();
    this.#renders = new RowRenders(
      this.#subject.renderer,
      this.#problems,
      this.#defaults?.sources ?? [],
    );
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
      verdict: this.#verdict(byColumn),
      by_column: byColumn,
      template,
      corrected,
      columns: this.#dirt?.columns ?? [],
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
    await writeSheet(this.#subject, this.#state.extremes, this.#verdict());
  }

  #verdict(byColumn: readonly ColumnCount[] = []): string {
    const dirtyColumns = this.#dirt?.sentence ?? '';
    return verdict(this.#state.counts, {
      withoutValue: this.#withoutValue(),
      byColumn,
      isUnused: this.#isUnused(),
      dirtyColumns,
    });
  }

  #isUnused(): boolean {
    const { columns, template } = this.#subject;
    return (
      columns.length === 0 &&
      [...template.variables.values()].some(({ from }) => from === undefined)
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

  /** Adds the problems that layout and image of each row show. */
  async #renderAll(rows: readonly CheckedRow[]): Promise<void> {
    const drawn = rows.filter((row) => row.order !== undefined);
    const orders = drawn.flatMap(({ order }) => order ?? []);
    const found = (await this.#renders?.prove(orders)) ?? [];
    for (const [index, row] of drawn.entries()) addDrawn(row, found[index] ?? []);
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
