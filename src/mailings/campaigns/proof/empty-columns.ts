/** Finds mapped columns without a value in any row: the proof says so once, and not in each row. */
import { isEmptyText } from '../../../render/parse-value.ts';
import { mapConcurrently } from '../run-rows.ts';
import { whenEmptyOf } from '../list/row-values.ts';
import type { ProofSubject } from './subject.ts';

/** Rows that are read at a time. */
const rowsAtOnce = 100;

/**
 * The variables whose columns are empty in all rows that can be read, with the indexes of the columns. A variable that
 * intends nothing for an empty value is left out. Ends with the first row that has a value for each variable.
 */
export async function findEmptyVariables({
  list,
  columns,
  template,
}: Pick<ProofSubject, 'list' | 'columns' | 'template'>): Promise<Map<string, number[]>> {
  const empty = new Map<string, number[]>();
  const { emptyWords } = template.document;
  for (const { variable, index } of columns) {
    if (whenEmptyOf(variable) === 'intended') continue;
    empty.set(variable.name, [...(empty.get(variable.name) ?? []), index]);
  }
  let [last, goodRows] = [0, 0];
  while (empty.size > 0) {
    const rows = list.rowsAfter(last, rowsAtOnce);
    const end = rows.at(-1);
    if (end === undefined) break;
    last = end.row;
    await mapConcurrently(rows, 1, ({ cellsJson }) => {
      if (cellsJson === null || empty.size === 0) return;
      goodRows += 1;
      const cells = JSON.parse(cellsJson) as string[];
      for (const [name, indexes] of empty) {
        if (indexes.some((index) => !isEmptyText(cells[index] ?? '', emptyWords))) {
          empty.delete(name);
        }
      }
    });
  }
  return goodRows === 0 ? new Map() : empty;
}

/** The columns of a variable in words: `the column "Foto" is empty`. */
export function emptyColumnsText(indexes: readonly number[], columns: readonly string[]): string {
  const [first = 0] = indexes;
  return indexes.length === 1
    ? `the column "${columns[first] ?? ''}" is empty`
    : `its ${indexes.length} columns are empty`;
}
