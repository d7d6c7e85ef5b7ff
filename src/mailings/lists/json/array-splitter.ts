/** Splits the text of a JSON array into its elements, from chunks of text. Errors name their line and byte. */
import { formatCount, tooLarge, unreadable } from '../list.ts';
import { listLimits } from '../list-limits.ts';
import { encodedBytes } from '../text/read-text.ts';

/** Receives an element. `line` is the line on which it starts, from 1. */
export type ElementHandler = (text: string, line: number) => void;

/** What may come next, beside white space. */
type State = 'array' | 'first' | 'element' | 'inside' | 'separator' | 'end';

const expected: Readonly<Record<State, string>> = {
  array: '"["',
  first: 'an object, or "]"',
  element: 'an object',
  inside: 'the end of the element',
  separator: '"," or "]"',
  end: 'the end of the file',
};

const [quote, backslash, lineFeed] = [0x22, 0x5c, 0x0a];
const [comma, openBracket, closeBracket, openBrace, closeBrace] = [0x2c, 0x5b, 0x5d, 0x7b, 0x7d];

export class ArraySplitter {
  readonly #encoding: string;
  readonly #handle: ElementHandler;
  /** Text from the start of an unfinished element on. `#at` is the index of the next character. */
  #text = '';
  #at = 0;
  #start = 0;
  #state: State = 'array';
  #line = 1;
  #startLine = 1;
  /** Open brackets of the element. */
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  /** Bytes of the file before `#text`. */
  #bytes: number;

  constructor({ encoding, bytes }: { encoding: string; bytes: number }, handle: ElementHandler) {
    this.#encoding = encoding;
    this.#bytes = bytes;
    this.#handle = handle;
  }

  push(text: string): void {
    this.#text += text;
    while (this.#at < this.#text.length) {
      if (this.#state === 'inside') this.#readInside();
      else this.#readBetween();
    }
    const done = this.#state === 'inside' ? this.#start : this.#text.length;
    this.#bytes += encodedBytes(this.#text.slice(0, done), this.#encoding);
    this.#text = this.#text.slice(done);
    this.#at -= done;
    this.#start = 0;
  }

  end(): void {
    if (this.#state === 'end') return;
    throw unreadable(
      `The JSON ends too early, at ${this.#describe(this.#text.length, this.#line)}: expected ${expected[this.#state]}. It was perhaps cut off: export it again.`,
    );
  }

  /** Describes a position in the element that is handled. */
  describe(offset: number): string {
    const lines = this.#text.slice(this.#start, this.#start + offset).split('\n').length - 1;
    return this.#describe(this.#start + offset, this.#startLine + lines);
  }

  /** Reads a character between elements. */
  #readBetween(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code === lineFeed) this.#line += 1;
    else if (code !== 0x20 && code !== 0x09 && code !== 0x0d) this.#take(code);
    this.#at += 1;
  }

  #take(code: number): void {
    const state = this.#state;
    if (state === 'array' && code === openBracket) this.#state = 'first';
    else if ((state === 'first' || state === 'separator') && code === closeBracket)
      this.#state = 'end';
    else if (state === 'separator' && code === comma) this.#state = 'element';
    else if ((state === 'first' || state === 'element') && code !== comma && code !== closeBracket)
      this.#startElement();
    else throw this.#unexpected(state);
  }

  #startElement(): void {
    this.#state = 'inside';
    this.#start = this.#at;
    this.#startLine = this.#line;
    this.#depth = 0;
    // The first character is read again, as a part of the element.
    this.#at -= 1;
  }

  #readInside(): void {
    const text = this.#text;
    const { length } = text;
    let at = this.#at;
    let isComplete = false;
    for (; at < length && !isComplete; at += 1) {
      const code = text.charCodeAt(at);
      if (code === lineFeed) this.#line += 1;
      if (this.#isString) this.#readString(code);
      else if (code === quote) this.#isString = true;
      else if (code === openBracket || code === openBrace) this.#depth += 1;
      // The end of a number or a word is not a part of it.
      else if (this.#depth === 0 && (code === comma || code === closeBracket)) break;
      else if (code === closeBracket || code === closeBrace) {
        this.#depth -= 1;
        isComplete = this.#depth <= 0;
      }
    }
    this.#at = at;
    if (at - this.#start > listLimits.rowCharactersMax) throw this.#long();
    if (at === length && !isComplete) return;
    this.#state = 'separator';
    this.#handle(text.slice(this.#start, at), this.#startLine);
  }

  #readString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === backslash) this.#isEscaped = true;
    else if (code === quote) this.#isString = false;
  }

  #unexpected(state: State): Error {
    const found = JSON.stringify(String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0));
    return unreadable(
      `The JSON has ${found} at ${this.#describe(this.#at, this.#line)}, expected ${expected[state]}. Export it again, or look for a missing comma or quote before it.`,
    );
  }

  #long(): Error {
    return tooLarge(
      `The element at ${this.#describe(this.#start, this.#startLine)} has more than ${formatCount(listLimits.rowCharactersMax)} characters, the limit of a row. A bracket or a quote is perhaps not closed.`,
    );
  }

  /** Describes a position as `line 3 (byte 120)`. Bytes count from 0. */
  #describe(at: number, line: number): string {
    const bytes = this.#bytes + encodedBytes(this.#text.slice(0, at), this.#encoding);
    return `line ${formatCount(line)} (byte ${formatCount(bytes)})`;
  }
}
