/** Collects the text of a cell from its runs, and decodes escapes of spreadsheets. */
import { checkCellLength } from '../workbook/cell-length.ts';

/**
 * Collects the text of `t` elements, plain or in runs of rich text. Omits the pronunciation (`rPh`) of East Asian text.
 */
export class CellText {
  #text = '';
  #isText = false;
  #isPhonetic = false;

  open(name: string): void {
    if (name === 't') this.#isText = true;
    if (name === 'rPh') this.#isPhonetic = true;
  }

  close(name: string): void {
    if (name === 't') this.#isText = false;
    if (name === 'rPh') this.#isPhonetic = false;
  }

  add(text: string): void {
    if (!this.#isText || this.#isPhonetic) return;
    this.#text += text;
    checkCellLength(this.#text);
  }

  /** Returns the text and resets the collector. */
  take(): string {
    const text = unescapeText(this.#text);
    this.#text = '';
    return text;
  }
}

/** Decodes `_x000D_`, a character that XML cannot contain, and `_x005F_`, the escaped underscore of such a text. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
