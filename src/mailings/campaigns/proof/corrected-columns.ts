/** Counts the rows of each column whose values were corrected. They draw as they were meant, so they are no problems. */
import type { MappedColumn } from '../list/row-values.ts';

/** Corrected values of one column, as a checkpoint stores them and callers see them. */
export interface CorrectedColumn {
  /** The column of the list; null for a variable with a data table. */
  column: string | null;
  variable: string;
  rows: number;
  /** The first rows, up to `firstRowsMax`. */
  first_rows: number[];
  message: string;
}

const firstRowsMax = 3;

/**
 * Adds a row. `names` are variables, or fields such as `items.0.title`, whose values were corrected. A column with the
 * JSON of a list counts once a row. Columns and variables bound the number of counts.
 */
export function countCorrected(
  counts: CorrectedColumn[],
  row: number,
  names: ReadonlySet<string>,
  { mapped, columns }: { mapped: readonly MappedColumn[]; columns: readonly string[] },
): void {
  const found = new Map<string, string | null>();
  for (const name of names) {
    const source = mapped.find((each) => each.name === name || name.startsWith(`${each.name}.`));
    found.set(source?.name ?? name, source === undefined ? null : (columns[source.index] ?? null));
  }
  for (const [variable, column] of found) {
    let count = counts.find((each) => each.variable === variable);
    if (count === undefined) {
      count = { column, variable, rows: 0, first_rows: [], message: messageOf(variable, column) };
      counts.push(count);
    }
    count.rows += 1;
    if (count.first_rows.length < firstRowsMax) count.first_rows.push(row);
  }
}

function messageOf(variable: string, column: string | null): string {
  const where = column === null ? `the data table of "${variable}"` : `the column "${column}"`;
  return `${where} has values with escapes, such as O&#39;Brien, or addresses without https: they are drawn as they were meant; export them as plain text`;
}
