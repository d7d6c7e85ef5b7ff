/**
 * The columns that a downloaded list has for its problems. A list that comes back loses them, and the apostrophes that
 * the download put before formulas.
 */
import { unreadable } from './list.ts';
import type { List, ListBatch, ListRow, RowProblem } from './list.ts';

/** The column with the number of each row in the list that had the problems. */
export const rowColumn = 'platen_row';

const problemPrefix = 'platen_problem_';

/** The column of a code: `platen_problem_empty`. */
export function problemColumn(code: string): string {
  return problemPrefix + code.toLowerCase();
}

/** Whether a download has added a column. */
export function isProblemColumn(column: string): boolean {
  const name = column.toLowerCase();
  return name === rowColumn || name.startsWith(problemPrefix);
}

const startWithApostrophe = /^'+[=+\-@\t\r\n＝＋－＠]/;
const innerWithApostrophe = /([,;\t|\r\n]"*)('+[=+\-@＝＋－＠])/g;

/** Doubles the apostrophes before a formula that a cell has itself, so that `restoreCell` keeps them. */
export function protectCell(cell: string): string {
  const start = startWithApostrophe.test(cell) ? "'" : '';
  return start + cell.replaceAll(innerWithApostrophe, "$1'$2");
}

const addedAtStart = /^'('*[=+\-@\t\r\n＝＋－＠])/;
const addedInside = /([,;\t|\r\n]"*)'('*[=+\-@＝＋－＠])/g;

/** The cell before `protectCell` and `neutralizeFormula`. */
export function restoreCell(cell: string): string {
  // Most cells have none, in lists of a million rows.
  if (!cell.includes("'")) return cell;
  return cell.replace(addedAtStart, '$1').replaceAll(addedInside, '$1$2');
}

/** The list as it was before its download. A list without such columns is returned as it is. */
export function withoutProblemColumns(list: List): List {
  if (!list.columns.some(isProblemColumn)) return list;
  const kept = [...list.columns.keys()].filter((at) => !isProblemColumn(list.columns[at] ?? ''));
  if (kept.length === 0) {
    throw unreadable(
      `The list has no columns beside those of Platen, such as "${rowColumn}". Expected the columns of the list.`,
    );
  }
  return {
    ...list,
    columns: kept.map((at) => restoreCell(list.columns[at] ?? '')),
    // Those of an XLSX are known when its rows are read.
    get numberColumns() {
      const { numberColumns } = list;
      return new Set([...kept.keys()].filter((at) => numberColumns?.has(kept[at] ?? -1)));
    },
    batches: () => restoredBatches(list, kept),
  };
}

async function* restoredBatches(
  list: List,
  kept: readonly number[],
): AsyncGenerator<ListBatch, void, void> {
  for await (const { rows, problems, bytesRead } of list.batches()) {
    const restored = rows.map((row): ListRow => {
      return { ...row, values: kept.map((at) => restoreCell(row.values[at] ?? '')) };
    });
    const [empty, good] = [restored.filter(isEmpty), restored.filter((row) => !isEmpty(row))];
    yield { rows: good, problems: [...problems, ...empty.map(stillEmpty)], bytesRead };
  }
}

function isEmpty({ values }: ListRow): boolean {
  return values.every((value) => value === '');
}

/** The problem of a row that could not be read before its download, and has no values yet. */
function stillEmpty({ row, line }: ListRow): RowProblem {
  const message =
    'The row has no values: it could not be read before. Fill in its cells from the first list, or delete the row.';
  return { row, line, cause: 'too-few-cells', message };
}
