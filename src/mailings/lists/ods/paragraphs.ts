/** Collects the text of a cell of an ODS from its paragraphs (OpenDocument 1.3 part 3, 6.1). */
import { listLimits } from '../list-limits.ts';
import { checkCellLength } from '../workbook/cell-length.ts';

/** Elements inside a paragraph whose text the cell does not show as its own: comments, pronunciation, notes and shapes. */
const omitted: ReadonlySet<string> = new Set(['annotation', 'ruby-text', 'note', 'frame']);

/** Receives the markup inside one cell. The next cell starts with `take`. */
export class Paragraphs {
  #text = '';
  #paragraphs = 0;
  #depth = 0;
  /** The depth of an omitted element; 0 outside of one. */
  #omittedDepth = 0;
  #isParagraph = false;
  /** Whether the next white space is dropped: at the start of a paragraph, and after white space. */
  #isSpaced = true;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    if (this.#depth === 1) {
      // Comments and shapes are beside the paragraphs of a cell.
      this.#isParagraph = name === 'p' || name === 'h';
      if (this.#isParagraph) this.#startParagraph();
      return;
    }
    if (!this.#isParagraph || this.#omittedDepth > 0) return;
    if (omitted.has(name)) this.#omittedDepth = this.#depth;
    else if (name === 's') this.#append(' '.repeat(countOf(attributes['text:c'])));
    else if (name === 'tab') this.#append('\t');
    else if (name === 'line-break') this.#append('\n');
  }

  close(): void {
    if (this.#depth === this.#omittedDepth) this.#omittedDepth = 0;
    if (this.#depth === 1) this.#isParagraph = false;
    this.#depth -= 1;
  }

  add(text: string): void {
    if (!this.#isParagraph || this.#omittedDepth > 0) return;
    let shown = text.replaceAll(/[ \t\r\n]+/g, ' ');
    if (this.#isSpaced && shown.startsWith(' ')) shown = shown.slice(1);
    if (shown === '') return;
    this.#append(shown);
    this.#isSpaced = shown.endsWith(' ');
  }

  /** Returns the text and resets the collector. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    this.#paragraphs = 0;
    return text;
  }

  #startParagraph(): void {
    if (this.#paragraphs > 0) this.#append('\n');
    this.#paragraphs += 1;
    this.#isSpaced = true;
  }

  #append(text: string): void {
    this.#isSpaced = false;
    this.#text += text;
    checkCellLength(this.#text);
  }
}

/** The number of spaces of `text:s`, at most one more than a cell may have. */
function countOf(count: string | undefined): number {
  const spaces = Number(count ?? 1);
  return spaces > 0 ? Math.min(Math.floor(spaces), listLimits.cellCharactersMax + 1) : 0;
}
