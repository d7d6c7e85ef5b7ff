/** Counts the rows of a proof by column and code of problem. */
import type { Problem, ProblemCode } from '../campaign.ts';
import type { MappedColumn } from '../list/row-values.ts';

/** Rows with one kind of problem in one column, as a checkpoint stores them and callers see them. */
export interface ColumnCount {
  /** The column of the list; null for a whole row, a data table, and a variable with several columns. */
  column: string | null;
  /** Null for a whole row, and for a column whose cells cannot be read. */
  variable: string | null;
  code: ProblemCode;
  rows: number;
  /** Rows in which this problem needs a person: the others fall back to a default. */
  needs_you: number;
}

/** Upper bound of the counts that callers see: those of most rows. A checkpoint has all, at most columns × codes. */
const shownMax = 200;

export class ColumnCounts {
  readonly #counts: Map<string, ColumnCount>;
  readonly #columns: ReadonlyMap<string, string>;

  constructor(
    stored: readonly ColumnCount[],
    { mapped, columns }: { mapped: readonly MappedColumn[]; columns: readonly string[] },
  ) {
    this.#counts = new Map(stored.map((count) => [keyOf(count), count]));
    this.#columns = new Map(mapped.map(({ name, index }) => [name, columns[index] ?? '']));
  }

  /** Adds a row. */
  add(problems: readonly Problem[]): void {
    const counted = new Set<string>();
    for (const { code, variable: name = null, isDefault } of problems) {
      const isColumn = code === 'BAD_ROW';
      const variable = isColumn ? null : name;
      const column = isColumn ? name : (this.#columns.get(name ?? '') ?? null);
      const key = keyOf({ column, variable, code });
      if (counted.has(key)) continue;
      counted.add(key);
      const count = this.#counts.get(key) ?? { column, variable, code, rows: 0, needs_you: 0 };
      count.rows += 1;
      if (isDefault !== true) count.needs_you += 1;
      this.#counts.set(key, count);
    }
  }

  /** All counts, for a checkpoint. */
  all(): ColumnCount[] {
    return [...this.#counts.values()];
  }

  /** The counts of most rows that need a person, then of most rows. */
  shown(): ColumnCount[] {
    const order = (a: ColumnCount, b: ColumnCount): number =>
      b.needs_you - a.needs_you || b.rows - a.rows;
    return this.all().toSorted(order).slice(0, shownMax);
  }
}

function keyOf({ column, variable, code }: Pick<ColumnCount, 'column' | 'variable' | 'code'>) {
  return JSON.stringify([column, variable, code]);
}
