/** Bounds the text of a cell. */
import { formatCount, tooLarge } from '../list.ts';
import { listLimits } from '../list-limits.ts';

export function checkCellLength(text: string): void {
  if (text.length <= listLimits.cellCharactersMax) return;
  throw tooLarge(
    `The cell with the text "${text.slice(0, 40)}…" has more than ${formatCount(listLimits.cellCharactersMax)} characters, the limit of a cell.`,
  );
}
