/** Reads the tables of an ODS and their rows from its XML (OpenDocument 1.3 part 3, 9). */
import { columnLetters } from '../header.ts';
import { formatCount, tooLarge, unreadable } from '../list.ts';
import { listLimits } from '../list-limits.ts';
import type { SheetProblem } from '../workbook/open-sheet.ts';
import type { PartEvents } from '../workbook/read-part.ts';
import type { CellStyles } from './cell-styles.ts';
import { checkCellLength } from '../workbook/cell-length.ts';
import type { CellFormat } from '../workbook/number-format.ts';
import { cellValue } from './cell-value.ts';
import { Paragraphs } from './paragraphs.ts';

/** A row with cells up to the last filled one, which the sheet has `count` times from `number` on. */
export interface TableRow {
  cells: string[];
  number: number;
  count: number;
  problem: SheetProblem | undefined;
}

/** What the reader does with tables and rows. */
export interface TableHandler {
  /** Called at the start of each table. Returns whether its rows are read. */
  openTable: (name: string, style: string | undefined) => boolean;
  /** Called for each row with a filled cell or a problem. Returns whether the next rows of the table are read. */
  row: (row: TableRow) => boolean;
  closeTable?: () => void;
  /** Gets the indexes of columns with numbers. */
  numberColumns: Set<number>;
}

/** A run of columns with the style of their cells. `end` is the index after the last column. */
interface ColumnStyle {
  end: number;
  style: string | undefined;
}

const numberTypes: ReadonlySet<string> = new Set([
  'float',
  'percentage',
  'currency',
  'date',
  'time',
]);

/** More rows and columns than the largest sheets of any program have: a number above it is damage. */
const positionMax = 2 ** 31;

/** Elements of a table that have no rows of it, although they may contain tables. */
const skippedElements: ReadonlySet<string> = new Set([
  'table',
  'shapes',
  'forms',
  'named-expressions',
  'table-source',
  'scenario',
]);

export class TableReader implements PartEvents {
  readonly #styles: CellStyles;
  readonly #handler: TableHandler;
  #depth = 0;
  #spreadsheetDepth = 0;
  #isInTable = false;
  /** The depth of a skipped element, and of the cell that is read; 0 outside of one. */
  #skippedDepth = 0;
  #cellDepth = 0;
  #columnStyles: ColumnStyle[] = [];
  /** The number of the row that is read, and how often the sheet has it. */
  #row = 0;
  #rowCount = 0;
  #rowStyle: string | undefined;
  #cells: string[] = [];
  #problem: SheetProblem | undefined;
  /** The index of the column after the last cell. */
  #column = 0;
  #attributes: Readonly<Record<string, string>> = {};
  readonly #paragraphs = new Paragraphs();

  constructor(styles: CellStyles, handler: TableHandler) {
    this.#styles = styles;
    this.#handler = handler;
  }

  open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    this.#depth += 1;
    if (this.#cellDepth > 0) this.#paragraphs.open(name, attributes);
    else if (this.#skippedDepth > 0) return;
    else if (this.#isInTable) this.#openInTable(name, attributes);
    else if (name === 'spreadsheet') this.#spreadsheetDepth = this.#depth;
    else if (name === 'table' && this.#isChildOfSpreadsheet()) this.#openTable(attributes);
    // Changes and links to other files contain tables, too.
    else if (this.#isChildOfSpreadsheet()) this.#skippedDepth = this.#depth;
  };

  close = (name: string): void => {
    if (this.#cellDepth > 0) {
      if (this.#depth === this.#cellDepth) this.#closeCell();
      else this.#paragraphs.close();
    } else if (this.#skippedDepth > 0) {
      if (this.#depth === this.#skippedDepth) this.#skippedDepth = 0;
    } else if (this.#isInTable && this.#isChildOfSpreadsheet()) {
      this.#isInTable = false;
      this.#handler.closeTable?.();
    } else if (this.#isInTable && name === 'table-row') {
      this.#closeRow();
    }
    this.#depth -= 1;
  };

  text = (text: string): void => {
    if (this.#cellDepth > 0) this.#paragraphs.add(text);
  };

  #isChildOfSpreadsheet(): boolean {
    return this.#spreadsheetDepth > 0 && this.#depth === this.#spreadsheetDepth + 1;
  }

  #openTable(attributes: Readonly<Record<string, string>>): void {
    const isRead = this.#handler.openTable(
      attributes['table:name'] ?? '',
      attributes['table:style-name'],
    );
    if (!isRead) {
      this.#skippedDepth = this.#depth;
      return;
    }
    this.#isInTable = true;
    this.#columnStyles = [];
    this.#row = 0;
    this.#rowCount = 0;
  }

  #openInTable(name: string, attributes: Readonly<Record<string, string>>): void {
    if (skippedElements.has(name)) this.#skippedDepth = this.#depth;
    else if (name === 'table-column') this.#addColumns(attributes);
    else if (name === 'table-row') this.#openRow(attributes);
    else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#cellDepth = this.#depth;
      this.#attributes = attributes;
    }
  }

  #addColumns(attributes: Readonly<Record<string, string>>): void {
    const start = this.#columnStyles.at(-1)?.end ?? 0;
    // No list has columns beyond.
    if (start >= listLimits.columnsMax) return;
    const end = start + this.#countOf(attributes['table:number-columns-repeated']);
    this.#columnStyles.push({ end, style: attributes['table:default-cell-style-name'] });
  }

  #openRow(attributes: Readonly<Record<string, string>>): void {
    this.#row += this.#rowCount;
    this.#rowCount = 0;
    this.#rowCount = this.#countOf(attributes['table:number-rows-repeated']);
    this.#rowStyle = attributes['table:default-cell-style-name'];
    this.#cells = [];
    this.#problem = undefined;
    this.#column = 0;
  }

  #closeRow(): void {
    if (this.#cells.length === 0 && this.#problem === undefined) return;
    const isReadOn = this.#handler.row({
      cells: this.#cells,
      number: this.#row + 1,
      count: this.#rowCount,
      problem: this.#problem,
    });
    if (isReadOn) return;
    this.#isInTable = false;
    this.#skippedDepth = this.#spreadsheetDepth + 1;
  }

  #closeCell(): void {
    this.#cellDepth = 0;
    const attributes = this.#attributes;
    const index = this.#column;
    const type = attributes['office:value-type'];
    this.#column += this.#countOf(attributes['table:number-columns-repeated']);
    const value = cellValue(attributes, this.#paragraphs.take(), this.#formatAt(index));
    checkCellLength(value);
    const hasFailed = attributes['calcext:value-type'] === 'error';
    if (hasFailed) this.#problem ??= { cause: 'formula-error', index, error: value };
    if (value === '') {
      const isUncalculated = type === undefined && attributes['table:formula'] !== undefined;
      if (isUncalculated) this.#problem ??= { cause: 'formula-without-result', index };
      return;
    }
    // An empty cell with a style may be repeated to the edge of the sheet.
    if (this.#column > listLimits.columnsMax) {
      throw tooLarge(
        `The sheet has a value in column ${columnLetters(this.#column - 1)} on row ${formatCount(this.#row + 1)}, at most ${listLimits.columnsMax} columns. Remove those that the template does not use.`,
      );
    }
    while (this.#cells.length < index) this.#cells.push('');
    while (this.#cells.length < this.#column) this.#cells.push(value);
    if (type !== undefined && numberTypes.has(type)) this.#handler.numberColumns.add(index);
  }

  /** The number format of a cell: its own, or that of its row, or that of its column. */
  #formatAt(index: number): CellFormat | undefined {
    const style =
      this.#attributes['table:style-name'] ??
      this.#rowStyle ??
      this.#columnStyles.find(({ end }) => index < end)?.style;
    return this.#styles.formatOf(style);
  }

  #countOf(repeated: string | undefined): number {
    const count = Number(repeated ?? 1);
    if (Number.isSafeInteger(count) && count > 0 && this.#row + count < positionMax) return count;
    throw unreadable(
      `The sheet is damaged: row ${formatCount(this.#row + 1)} or a cell of it is repeated "${String(repeated).slice(0, 20)}" times.`,
    );
  }
}
