/** Parses CSV (RFC 4180) from chunks of text. Errors name their line and byte. */
import { formatCount, tooLarge, unreadable, type CsvDialect } from '../list.ts';
import { listLimits } from '../list-limits.ts';
import { encodedBytes } from '../text/read-text.ts';

/** Receives the cells of a record, and the line on which it starts, from 1. */
export type RecordHandler = (cells: string[], line: number) => void;

export interface ParsedDialect extends Pick<CsvDialect, 'separator' | 'quote'> {
  /**
   * Whether a quote that does not enclose a whole cell is a part of it, as in tab-separated values: programs quote only
   * cells with tabs and line breaks. Default: false, because a list may then have wrong rows.
   */
  hasLiteralQuotes?: boolean;
  /** Whether a backslash stands before a quote inside a cell, instead of a second quote. Default: false. */
  hasEscapes?: boolean;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** What a backslash stands before in lists that have escapes, and what stands there for a cell without a value. */
const escapes = /\\(\r\n|["'\\\r\n\t,;|])/g;
const escapedNull = '\\N';

/**
 * A line break is CRLF, LF or CR, even mixed in one file. A quote is special only at the start of a cell: `5" nail` is
 * a cell. After a closing quote, a separator or a line break must follow. Other text means that an earlier quote is
 * missing or not doubled, so that several rows may look like one cell. The parser then throws, as for a quote that is
 * never closed, because a guess could deliver wrong rows. With escapes, a backslash may stand before a quote instead.
 */
export class CsvParser {
  readonly #separator: number;
  readonly #quote: string;
  readonly #hasLiteralQuotes: boolean;
  readonly #hasEscapes: boolean;
  readonly #encoding: string;
  readonly #handle: RecordHandler;
  /**
   * Text from the start of an unfinished record on. It is parsed again with the next chunk, so its length is limited.
   */
  #text = '';
  #line: number;
  /** Bytes of the file before `#text`. */
  #bytes: number;

  constructor(
    { separator, quote, hasLiteralQuotes = false, hasEscapes = false }: ParsedDialect,
    { encoding, line = 1, bytes = 0 }: { encoding: string; line?: number; bytes?: number },
    handle: RecordHandler,
  ) {
    this.#separator = separator.charCodeAt(0);
    this.#quote = quote;
    this.#hasLiteralQuotes = hasLiteralQuotes;
    this.#hasEscapes = hasEscapes;
    this.#encoding = encoding;
    this.#line = line;
    this.#bytes = bytes;
    this.#handle = handle;
  }

  push(text: string): void {
    this.#text += text;
    this.#parse(false);
  }

  end(): void {
    this.#parse(true);
  }

  #parse(isLast: boolean): void {
    let start = 0;
    while (start < this.#text.length) {
      const end = this.#parseRecord(start, isLast);
      if (end === undefined) break;
      start = end;
    }
    const rest = this.#text.slice(start);
    if (rest.length > listLimits.rowCharactersMax) throw this.#longRow(start);
    this.#bytes += encodedBytes(this.#text.slice(0, start), this.#encoding);
    this.#text = rest;
  }

  /** Parses a record. Returns the index after it; undefined if the record does not end in this text. */
  #parseRecord(start: number, isLast: boolean): number | undefined {
    const text = this.#text;
    const { length } = text;
    const cells: string[] = [];
    let lines = 0;
    let at = start;
    for (;;) {
      const cell =
        text[at] === this.#quote ? this.#parseQuoted(at, this.#line + lines, isLast) : 'literal';
      if (cell === undefined) return undefined;
      if (cell !== 'literal') {
        cells.push(this.#hasEscapes ? cell.value.replaceAll(escapes, '$1') : cell.value);
        lines += countLineBreaks(cell.value);
        at = cell.end;
      } else {
        const from = at;
        at = this.#findEnd(at, this.#line + lines);
        if (at - from > listLimits.cellCharactersMax)
          throw this.#longCell(from, this.#line + lines);
        const written = text.slice(from, at);
        cells.push(this.#hasEscapes && written === escapedNull ? '' : written);
      }
      if (at >= length) {
        if (!isLast) return undefined;
        break;
      }
      const code = text.charCodeAt(at);
      if (code === this.#separator) {
        at += 1;
        continue;
      }
      if (code === carriageReturn) {
        if (at + 1 >= length && !isLast) return undefined;
        if (text.charCodeAt(at + 1) === lineFeed) at += 1;
      }
      at += 1;
      break;
    }
    if (at - start > listLimits.rowCharactersMax) throw this.#longRow(start);
    this.#handle(cells, this.#line);
    this.#line += lines + 1;
    return at;
  }

  /** The index of the separator or line break that ends an unquoted cell, or the length of the text. */
  #findEnd(from: number, line: number): number {
    const text = this.#text;
    const { length } = text;
    let at = from;
    while (at < length) {
      const code = text.charCodeAt(at);
      if (code === this.#separator || code === lineFeed || code === carriageReturn) break;
      if (code === 0) {
        throw unreadable(
          `The list has a zero byte at ${this.#describe(at, line)}. Expected text: it is a binary file, or damaged.`,
        );
      }
      at += 1;
    }
    return at;
  }

  /** Undefined for a cell that does not end in this text, `literal` for one whose quote is a part of it. */
  #parseQuoted(
    open: number,
    line: number,
    isLast: boolean,
  ): { value: string; end: number } | 'literal' | undefined {
    const text = this.#text;
    const quote = this.#quote;
    let value = '';
    let from = open + 1;
    for (;;) {
      const close = this.#findQuote(from);
      const end = close === -1 ? text.length : close;
      if (value.length + end - from > listLimits.cellCharactersMax) {
        if (this.#hasLiteralQuotes) return 'literal';
        throw this.#longCell(open, line);
      }
      if (close === -1) {
        if (isLast) {
          if (this.#hasLiteralQuotes) return 'literal';
          throw unreadable(
            `The quote ${quote} that opens at ${this.#describe(open, line)} is never closed. Close it, or remove it.`,
          );
        }
        return undefined;
      }
      if (close + 1 >= text.length) {
        if (!isLast) return undefined;
        return { value: value + text.slice(from, close), end: close + 1 };
      }
      if (text[close + 1] === quote) {
        value += text.slice(from, close + 1);
        from = close + 2;
        continue;
      }
      value += text.slice(from, close);
      const next = text.charCodeAt(close + 1);
      if (next !== this.#separator && next !== lineFeed && next !== carriageReturn) {
        if (this.#hasLiteralQuotes) return 'literal';
        throw this.#strayText(open, line, close + 1, line + countLineBreaks(value));
      }
      return { value, end: close + 1 };
    }
  }

  /** The index of the next quote that no backslash escapes; -1 without one. */
  #findQuote(from: number): number {
    let at = this.#text.indexOf(this.#quote, from);
    while (this.#hasEscapes && at !== -1 && this.#isEscaped(from, at))
      at = this.#text.indexOf(this.#quote, at + 1);
    return at;
  }

  /** Whether an odd number of backslashes stands before `at`. */
  #isEscaped(from: number, at: number): boolean {
    let start = at;
    while (start > from && this.#text[start - 1] === '\\') start -= 1;
    return (at - start) % 2 === 1;
  }

  #strayText(open: number, line: number, at: number, endLine: number): Error {
    const found = JSON.stringify(this.#text.slice(at, at + 1));
    return unreadable(
      `${found} follows the closing quote at ${this.#describe(at, endLine)}; the quote opens at ${this.#describe(open, line)}. ` +
        `Expected a separator or a line end: close the cell before, or double a ${this.#quote} inside a cell.`,
    );
  }

  #longCell(open: number, line: number): Error {
    const hint = this.#text[open] === this.#quote ? ' Its quote is perhaps not closed.' : '';
    return tooLarge(
      `The cell at ${this.#describe(open, line)} has more than ${formatCount(listLimits.cellCharactersMax)} characters, the limit of a cell.${hint}`,
    );
  }

  #longRow(start: number): Error {
    return tooLarge(
      `The row at ${this.#describe(start, this.#line)} has more than ${formatCount(listLimits.rowCharactersMax)} characters, the limit of a row. A quote is perhaps not closed.`,
    );
  }

  /** Describes a position as `line 3 (byte 120)`. Bytes count from 0. */
  #describe(at: number, line: number): string {
    const bytes = this.#bytes + encodedBytes(this.#text.slice(0, at), this.#encoding);
    return `line ${formatCount(line)} (byte ${formatCount(bytes)})`;
  }
}

/** Counts line breaks. CRLF, LF and CR count as one each. */
function countLineBreaks(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
