/** Reads the columns of a list from its first row. */
import { formatCount, tooLarge, unreadable, type HeaderProblem } from './list.ts';
import { listLimits } from './list-limits.ts';
import { isProblemColumn } from './problem-columns.ts';

/** Columns of a downloaded list that are not counted: one for each code of a problem. */
const problemColumnsMax = 100;

export interface Header {
  columns: string[];
  problems: HeaderProblem[];
}

/** Whether a first row has names: no cell is data, that is an email address, a web address, a number or a date. */
export function isHeader(cells: readonly string[]): boolean {
  return !cells.some((cell) => isData(cell.trim()));
}

function isData(cell: string): boolean {
  if (cell.length > dataCharactersMax) return false;
  return (
    /^[^\s@{}]+@[^\s@{}]+\.[^\s@{}]+$/.test(cell) ||
    /^https?:\/\//i.test(cell) ||
    /^[+-]?\d[\d.,:/ -]*$/.test(cell)
  );
}

/** Maximum length of data in UTF-16 units. It limits the cost of the patterns; longer cells do not count as data. */
const dataCharactersMax = 300;

/** Reads names, writes them in NFC, and corrects empty and duplicate ones. `line` is the line of the row, for messages. */
export function readHeader(cells: readonly string[], line: number): Header {
  const problems: HeaderProblem[] = [];
  const used = new Set<string>();
  const named = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
  const added = named.filter((cell) => isProblemColumn(cell.trim())).length;
  checkColumnCount(
    named.length - Math.min(added, problemColumnsMax, Math.max(0, named.length - 1)),
    line,
  );
  if (named.length === 1 && cells.length > 1) {
    const message = `Only the first of ${cells.length} cells on line ${formatCount(line)} has a name. If it is a title, delete the rows above the names of the columns.`;
    problems.push({ column: 1, cause: 'title', message });
  }
  const columns = named.map((cell, index) => {
    const column = index + 1;
    const name = cell.trim().replaceAll(/\s+/g, ' ').normalize('NFC');
    if (name.length > listLimits.nameCharactersMax) {
      throw tooLarge(
        `The name of column ${column} on line ${formatCount(line)} has ${formatCount(name.length)} characters, at most ${listLimits.nameCharactersMax}. Is the first row a header?`,
      );
    }
    const unique = uniqueName(name === '' ? letterName(index) : name, used);
    used.add(unique);
    if (name === '') {
      const message = `Column ${column} has no name; it is called "${unique}".`;
      problems.push({ column, cause: 'empty-name', message });
    } else if (unique !== name) {
      const message = `Column ${column} has the name "${name}" of another column; it is called "${unique}".`;
      problems.push({ column, cause: 'duplicate-name', message });
    }
    return unique;
  });
  return { columns, problems };
}

/** Names the columns of a list without a header. `cells` is its first row. */
export function nameColumns(cells: readonly string[], line: number): Header {
  checkColumnCount(cells.length, line);
  const columns = cells.map((_, index) => letterName(index));
  const message = `The list has no header; its columns are called "Column A" to "${columns.at(-1)}".`;
  return { columns, problems: [{ column: 1, cause: 'no-header', message }] };
}

export function checkColumnCount(count: number, line: number): void {
  if (count === 0) throw unreadable('The list is empty. Expected a header and rows.');
  if (count <= listLimits.columnsMax) return;
  throw tooLarge(
    `The list has ${formatCount(count)} columns on line ${formatCount(line)}, at most ${listLimits.columnsMax}. Remove those that the template does not use.`,
  );
}

function uniqueName(name: string, used: ReadonlySet<string>): string {
  if (!used.has(name)) return name;
  let count = 2;
  while (used.has(`${name} (${count})`)) count += 1;
  return `${name} (${count})`;
}

function letterName(index: number): string {
  return `Column ${columnLetters(index)}`;
}

/** The letters of a spreadsheet's column: A, B, … Z, AA. `index` is from 0. */
export function columnLetters(index: number): string {
  const last = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}
