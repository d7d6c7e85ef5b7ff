/** Reads the rows of a sheet from its XML (ECMA-376 part 1, 18.3). */
import { columnLetters } from '../header.ts';
import { formatCount, tooLarge, unreadable } from '../list.ts';
import { listLimits } from '../list-limits.ts';
import { checkCellLength } from '../workbook/cell-length.ts';
import { CellText, unescapeText } from './cell-text.ts';
import { formatNumber, plainFormat } from '../workbook/number-format.ts';
import type { SheetProblem, SheetRowHandler } from '../workbook/open-sheet.ts';
import type { PartEvents } from '../workbook/read-part.ts';
import type { Workbook } from './read-workbook.ts';

export class SheetReader implements PartEvents {
  readonly #workbook: Workbook;
  readonly #numberColumns: Set<number>;
  readonly #handle: SheetRowHandler;
  #row = 0;
  #cells: string[] = [];
  /** UTF-16 units of the row's cells. */
  #characters = 0;
  #problem: SheetProblem | undefined;
  #column = -1;
  #type = '';
  #style = 0;
  #hasFormula = false;
  #isValue = false;
  #value = '';
  readonly #inline = new CellText();

  /** `numberColumns` gets the indexes of columns with numbers. */
  constructor(workbook: Workbook, numberColumns: Set<number>, handle: SheetRowHandler) {
    this.#workbook = workbook;
    this.#numberColumns = numberColumns;
    this.#handle = handle;
  }

  open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    switch (name) {
      case 'row':
        this.#openRow(attributes['r']);
        break;
      case 'c':
        this.#openCell(attributes);
        break;
      case 'v':
        this.#isValue = true;
        break;
      case 'f':
        this.#hasFormula = true;
        break;
      default:
        if (this.#type === 'inlineStr') this.#inline.open(name);
    }
  };

  close = (name: string): void => {
    switch (name) {
      case 'row':
        this.#handle(this.#cells, this.#row, this.#problem);
        break;
      case 'c':
        this.#closeCell();
        break;
      case 'v':
        this.#isValue = false;
        break;
      default:
        if (this.#type === 'inlineStr') this.#inline.close(name);
    }
  };

  text = (text: string): void => {
    if (this.#isValue) {
      this.#value += text;
      checkCellLength(this.#value);
    } else if (this.#type === 'inlineStr') {
      this.#inline.add(text);
    }
  };

  /** Starts a row. A row or a cell without a number follows the previous one. */
  #openRow(number: string | undefined): void {
    const row = number === undefined ? this.#row + 1 : Number(number);
    if (!Number.isSafeInteger(row) || row <= this.#row) {
      throw unreadable(
        `The sheet is damaged: row ${String(number).slice(0, 20)} follows row ${this.#row}.`,
      );
    }
    this.#row = row;
    this.#cells = [];
    this.#characters = 0;
    this.#problem = undefined;
    this.#column = -1;
  }

  #openCell(attributes: Readonly<Record<string, string>>): void {
    this.#column = columnIndex(attributes['r']) ?? this.#column + 1;
    this.#type = attributes['t'] ?? 'n';
    this.#style = Number(attributes['s'] ?? 0);
    this.#hasFormula = false;
    this.#value = '';
  }

  #closeCell(): void {
    const text = this.#readCell();
    const index = this.#column;
    // A formula with an empty text as result has the type `str`. A formula that no program calculated does not.
    const isUncalculated = this.#hasFormula && this.#value === '' && this.#type !== 'str';
    this.#type = '';
    if (text === '') {
      if (isUncalculated) this.#problem ??= { cause: 'formula-without-result', index };
      return;
    }
    // Beyond the maximum number of columns, an empty cell with a style is ignored, and a filled cell is an error.
    if (index >= listLimits.columnsMax) {
      throw tooLarge(
        `The sheet has a value in column ${columnLetters(index)} on row ${formatCount(this.#row)}, at most ${listLimits.columnsMax} columns. Remove those that the template does not use.`,
      );
    }
    while (this.#cells.length < index) this.#cells.push('');
    this.#cells[index] = text;
    this.#characters += text.length;
  }

  #readCell(): string {
    const value = this.#value;
    switch (this.#type) {
      case 's':
        // Adds no text to a row that is already too long: 20 bytes of the sheet may refer to a text of 98 KB.
        return value === '' || this.#characters > listLimits.rowCharactersMax
          ? ''
          : this.#sharedText(value);
      case 'inlineStr':
        return this.#inline.take();
      case 'b':
        return value === '1' || value === 'true' ? 'TRUE' : value === '' ? '' : 'FALSE';
      case 'n': {
        const format = this.#workbook.formats[this.#style] ?? plainFormat;
        if (value !== '') this.#numberColumns.add(this.#column);
        return formatNumber(value, format, this.#workbook.is1904);
      }
      default:
        // `str` is the text of a formula, `e` an error such as #N/A, and `d` a date in ISO 8601.
        return unescapeText(value);
    }
  }

  #sharedText(index: string): string {
    const text = this.#workbook.texts.get(Number(index));
    if (text !== undefined) return text;
    throw unreadable(
      `The sheet is damaged: row ${formatCount(this.#row)} refers to the text ${index.slice(0, 20)}, which the workbook does not have.`,
    );
  }
}

/** The index of a cell's column, from 0: 1 for `B7`. Undefined for a reference without letters. */
function columnIndex(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  let index = 0;
  for (const letter of letters) index = index * 26 + (letter.codePointAt(0) ?? 0) - 64;
  return index - 1;
}
