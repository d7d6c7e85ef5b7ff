/** Collects rows of cells into batches, drops empty rows, and finds rows that cannot be used. */
import { formatCount, tooLarge, type ListBatch, type ListRow, type RowProblem } from './list.ts';
import { listLimits } from './list-limits.ts';
import { hasStrayBytes, readStrayBytes } from './text/read-text.ts';

/** UTF-16 units of a cell that a message shows. */
const shownUnitsMax = 60;

/** Errors that a spreadsheet shows in a cell whose formula failed. Programs export them as text. */
const formulaErrors = new Set([
  '#N/A',
  '#REF!',
  '#VALUE!',
  '#DIV/0!',
  '#NAME?',
  '#NULL!',
  '#NUM!',
  '#GETTING_DATA',
  '#SPILL!',
  '#CALC!',
  '#ERROR!',
]);

export class RowCollector {
  readonly #columns: readonly string[];
  /** Whether a row must have all cells, as in CSV. A spreadsheet does not store empty cells. */
  readonly #needsAllCells: boolean;
  /** The likely encoding of bytes that are not UTF-8. */
  readonly #strayEncoding: string | undefined;
  #rows: ListRow[] = [];
  #problems: RowProblem[] = [];
  #characters = 0;
  #badCharacters = 0;
  #count = 0;
  #batches: Omit<ListBatch, 'bytesRead'>[] = [];

  constructor(
    columns: readonly string[],
    {
      needsAllCells,
      strayEncoding,
    }: { needsAllCells: boolean; strayEncoding?: string | undefined },
  ) {
    this.#columns = columns;
    this.#needsAllCells = needsAllCells;
    this.#strayEncoding = strayEncoding;
  }

  /** Adds a row and takes ownership of `cells`. `problem` is a problem that the source found. */
  add(
    cells: string[],
    row: number,
    line: number,
    problem?: Pick<RowProblem, 'cause' | 'column' | 'message'>,
  ): void {
    let characters = 0;
    for (const cell of cells) characters += cell.length;
    if (characters === 0 && problem === undefined) return;
    this.#count += 1;
    if (this.#count > listLimits.rowsMax) {
      throw tooLarge(
        `The list has more than ${formatCount(listLimits.rowsMax)} rows: line ${formatCount(line)} is one too many. Split the list.`,
      );
    }
    const found =
      problem ?? this.#fitCells(cells) ?? findLength(characters) ?? this.#findFault(cells);
    if (found === undefined) this.#rows.push({ row, line, values: cells });
    else this.#problems.push({ row, line, ...found });
    if (found === undefined) this.#characters += characters;
    else this.#addBad(characters);
    if (
      this.#rows.length + this.#problems.length >= listLimits.batchRowsMax ||
      this.#characters >= listLimits.batchCharactersMax
    ) {
      this.#close();
    }
  }

  /** Takes the full batches; with `isLast`, also the rest. */
  *take(bytesRead: number, isLast: boolean): Generator<ListBatch, void, void> {
    if (isLast && this.#rows.length + this.#problems.length > 0) this.#close();
    const batches = this.#batches;
    this.#batches = [];
    for (const batch of batches) yield { ...batch, bytesRead };
  }

  #close(): void {
    this.#batches.push({ rows: this.#rows, problems: this.#problems });
    this.#rows = [];
    this.#problems = [];
    this.#characters = 0;
  }

  /** Limits unusable rows, which no storage quota limits because they are not stored. */
  #addBad(characters: number): void {
    this.#badCharacters += characters;
    if (this.#badCharacters <= listLimits.badCharactersMax) return;
    throw tooLarge(
      `The rows of the list that cannot be used have more than ${formatCount(listLimits.badCharactersMax)} characters. Correct the list.`,
    );
  }

  /** Adjusts the number of cells to that of the columns, or returns the problem. */
  #fitCells(cells: string[]): Pick<RowProblem, 'cause' | 'message'> | undefined {
    const expected = this.#columns.length;
    if (cells.length === expected) return undefined;
    if (cells.length < expected && this.#needsAllCells) {
      const message = `The row has ${countCells(cells.length)}, and the list has ${countColumns(expected)}. Add the missing separators.`;
      return { cause: 'too-few-cells', message };
    }
    if (cells.length > expected && cells.slice(expected).some((cell) => cell !== '')) {
      const message = `The row has ${countCells(cells.length)}, and the list has ${countColumns(expected)}.${this.#needsAllCells ? ' Put a cell that contains a separator into quotes.' : ' Give each column a name in the first row.'}`;
      return { cause: 'too-many-cells', message };
    }
    while (cells.length < expected) cells.push('');
    cells.length = expected;
    return undefined;
  }

  #findFault(
    cells: readonly string[],
  ): Pick<RowProblem, 'cause' | 'column' | 'message'> | undefined {
    for (const [index, cell] of cells.entries()) {
      const column = this.#columns[index] ?? '';
      if (this.#strayEncoding !== undefined && hasStrayBytes(cell)) {
        const reading = readStrayBytes(cell, this.#strayEncoding).slice(0, shownUnitsMax);
        const message = `Column "${column}" is not UTF-8 as the rest of the list: in ${this.#strayEncoding} it reads "${reading}". Correct the cell, and save the list as UTF-8.`;
        return { cause: 'lost-characters', column, message };
      }
      if (cell.includes('\uFFFD')) {
        const message = `Column "${column}" has U+FFFD: a character was lost when the list was written, or its encoding is another one.`;
        return { cause: 'lost-characters', column, message };
      }
      if (cell.charCodeAt(0) === 0x23 && formulaErrors.has(cell)) {
        const message = `Column "${column}" has the error ${cell} of a formula. Correct it in the spreadsheet.`;
        return { cause: 'formula-error', column, message };
      }
    }
    return undefined;
  }
}

/** Finds a row that is too long: any number of cells of an XLSX may refer to the same shared text. */
function findLength(characters: number): Pick<RowProblem, 'cause' | 'message'> | undefined {
  const { rowCharactersMax } = listLimits;
  if (characters <= rowCharactersMax) return undefined;
  const message = `The row has more than ${formatCount(rowCharactersMax)} characters, the limit of a row. Leave out columns that the template does not use.`;
  return { cause: 'too-long', message };
}

function countCells(count: number): string {
  return count === 1 ? '1 cell' : `${formatCount(count)} cells`;
}

function countColumns(count: number): string {
  return count === 1 ? '1 column' : `${formatCount(count)} columns`;
}
