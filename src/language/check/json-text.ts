/** Says where a text stops being JSON, which the parser of the runtime tells for some mistakes only. */

/** What is wrong with a text, and where; line and column count from 1, columns in UTF-16 units as editors do. */
export interface JsonMistake {
  line: number;
  column: number;
  /** Continues a sentence: `expected …`. */
  message: string;
}

const space = /[ \t\r\n]*/y;
const word = /true|false|null/y;
/** RFC 8259 section 6. */
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** RFC 8259 section 7, without the quotes: what may stand in a string, a run of it at a time. */
const characters = /[ !#-[\]-\uffff]{1,1000}|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** What may come next at some place of a text. */
type Expected = 'value' | 'first element' | 'first name' | 'name' | 'colon' | 'after value' | 'end';

const sentences: Record<Expected, string> = {
  value: 'expected a value (text in double quotes; no comma after the last one)',
  'first element': 'expected a value or ]',
  'first name': 'expected a name in double quotes or }',
  name: 'expected a name in double quotes (no comma after the last property)',
  colon: 'expected a colon after the name',
  'after value': 'expected a comma or the end of the object or array',
  end: 'expected nothing more after the value',
};

/** The first mistake of a text; undefined when it is JSON. Takes time in proportion to the text, and no stack. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  let offset = 0;
  for (;;) {
    offset = skip(space, text, offset);
    if (offset === text.length) {
      return expected === 'end' ? undefined : mistake(text, offset, 'ends too early: ', expected);
    }
    const character = text.charAt(offset);
    const isAfter = expected === 'after value';
    if (isAfter && character === ',') {
      expected = open.at(-1) === '{' ? 'name' : 'value';
      offset += 1;
    } else if ((isAfter || expected.startsWith('first')) && character === closerOf(open.at(-1))) {
      open.pop();
      expected = open.length === 0 ? 'end' : 'after value';
      offset += 1;
    } else if (expected === 'colon' && character === ':') {
      expected = 'value';
      offset += 1;
    } else if (expected === 'name' || expected === 'first name') {
      const end = character === '"' ? stringEnd(text, offset) : -1;
      if (end < 0) return stringMistake(text, offset, character, expected);
      offset = end;
      expected = 'colon';
    } else if (expected === 'value' || expected === 'first element') {
      const isOpening = character === '{' || character === '[';
      const end = isOpening ? offset + 1 : scalarEnd(text, offset, character);
      if (end < 0) return stringMistake(text, offset, character, expected);
      offset = end;
      if (isOpening) {
        open.push(character);
        expected = character === '{' ? 'first name' : 'first element';
      } else expected = open.length === 0 ? 'end' : 'after value';
    } else return mistake(text, offset, '', expected);
  }
}

function closerOf(opener: string | undefined): string {
  return opener === '{' ? '}' : ']';
}

/** Where `pattern`, tried at `offset`, ends; `offset` itself when it does not fit. */
function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}

/** The end of a string, number or word; −1 when there is none at `offset`. */
function scalarEnd(text: string, offset: number, character: string): number {
  if (character === '"') return stringEnd(text, offset);
  const end = skip(/[-\d]/.test(character) ? number : word, text, offset);
  return end === offset ? -1 : end;
}

/** The end of the string whose quote stands at `offset`; −1 when it has none. */
function stringEnd(text: string, offset: number): number {
  const end = lastCharacter(text, offset);
  return text.charAt(end) === '"' ? end + 1 : -1;
}

/** Where the characters of a string end: at its closing quote, or at what may not stand in it. */
function lastCharacter(text: string, offset: number): number {
  let end = offset + 1;
  for (let next = skip(characters, text, end); next !== end; next = skip(characters, text, end)) {
    end = next;
  }
  return end;
}

/** The mistake inside a string that begins at `offset`, or that nothing which was expected does. */
function stringMistake(
  text: string,
  offset: number,
  character: string,
  expected: Expected,
): JsonMistake {
  if (character !== '"') return mistake(text, offset, '', expected);
  const end = lastCharacter(text, offset);
  const place = placeAt(text, end);
  if (end === text.length) return { ...place, message: 'expected the closing double quote' };
  const isEscape = text.charAt(end) === '\\';
  const message = isEscape
    ? 'expected an escape that JSON has: \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hexadecimal digits'
    : 'expected no control character in a text: write a line feed as \\n, a tab as \\t';
  return { ...place, message };
}

function mistake(text: string, offset: number, start: string, expected: Expected): JsonMistake {
  return { ...placeAt(text, offset), message: start + sentences[expected] };
}

function placeAt(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
