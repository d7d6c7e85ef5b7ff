/** Finds the first mistake of a text that is not JSON. `JSON.parse` reports a position only for some mistakes. */
import { createRequire } from 'node:module';
import type * as JsoncParser from 'jsonc-parser';

/** A mistake and its position. Line and column count from 1, columns in UTF-16 units as in editors. */
export interface JsonMistake {
  line: number;
  column: number;
  /** Words that follow a position: `expected …`, or a noun for the mistake. */
  message: string;
}

/** Maximum depth of objects and lists. The parser's stack overflows at a depth of some thousands. */
const nestingMax = 500;

/**
 * Maximum properties of one object: twice the values of a render. The engine stores each name, and checks visit all of
 * them.
 */
const propertiesMax = 20_000;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
/** `{` and `}`. `[` and `]` differ from them in one bit, like upper and lower case letters. */
const [opening, closing, capitalBit] = [0x7b, 0x7d, 0x20];

/**
 * Whether a JSON text in UTF-8 is nested deeper than `nestingMax`, or has an object with more than `propertiesMax`
 * properties. `JSON.parse` has no such limits, but code that checks, changes and writes a value recurses for each
 * level. Stops at the first excess.
 */
export function isTooMuchJson(bytes: Uint8Array): boolean {
  const properties = new Uint32Array(nestingMax + 1);
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (isInText) {
      if (byte === backslash) index += 1;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = true;
    else if (byte === colon) {
      if (addOne(properties, depth) > propertiesMax) return true;
    } else if ((byte | capitalBit) === opening) {
      depth += 1;
      if (depth > nestingMax) return true;
      properties[depth] = 0;
    } else if ((byte | capitalBit) === closing) depth -= 1;
  }
  return false;
}

function addOne(counts: Uint32Array, at: number): number {
  const count = (counts[at] ?? 0) + 1;
  counts[at] = count;
  return count;
}

/** Messages for the error codes of the parser. The position of a mistake inside a string is the start of the string. */
const sentences: Readonly<Record<string, string>> = {
  InvalidSymbol: 'an unknown word; names and texts stand in double quotes',
  InvalidNumberFormat: 'a number that JSON does not have',
  PropertyNameExpected:
    'expected the name of a property in double quotes; the last one has no comma after it',
  ValueExpected: 'expected a value; the last one has no comma after it',
  ColonExpected: 'expected a colon after the name',
  CommaExpected: 'expected a comma, or the end of the object or list, before this',
  CloseBraceExpected: 'expected } here',
  CloseBracketExpected: 'expected ] here',
  EndOfFileExpected: 'expected nothing more after the value',
  InvalidCommentToken: 'a comment, which JSON does not have',
  UnexpectedEndOfComment: 'a comment, which JSON does not have',
  UnexpectedEndOfString: 'a text without its closing double quote',
  UnexpectedEndOfNumber: 'a number that is not finished',
  InvalidUnicode: 'an escape that is not finished: \\u and four hexadecimal digits',
  InvalidEscapeCharacter: 'an escape that JSON does not have; a backslash is \\\\',
  InvalidCharacter: 'a control character; write a line feed as \\n, a tab as \\t',
};

/** Thrown to stop the parser at the first mistake. */
class Found extends Error {
  readonly mistake: JsonMistake;

  constructor(mistake: JsonMistake) {
    super(mistake.message);
    this.mistake = mistake;
  }
}

function stop(message: string, line: number, character: number): never {
  throw new Found({ line: line + 1, column: character + 1, message });
}

/** The first mistake of a text; undefined if the text is valid JSON. Linear time. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  // Loaded on first use, because most processes never need it.
  const { printParseErrorCode, visit } = createRequire(import.meta.url)(
    'jsonc-parser',
  ) as typeof JsoncParser;
  let depth = 0;
  const properties = new Uint32Array(nestingMax + 1);
  const open = (_offset: number, _length: number, line: number, character: number): void => {
    depth += 1;
    if (depth > nestingMax) stop(`nested deeper than ${nestingMax} levels`, line, character);
    properties[depth] = 0;
  };
  const close = (): void => {
    depth -= 1;
  };
  try {
    visit(
      text,
      {
        onObjectBegin: open,
        onObjectProperty(_name, _offset, _length, line, character) {
          if (addOne(properties, depth) <= propertiesMax) return;
          stop(`an object with more than ${propertiesMax} properties`, line, character);
        },
        onArrayBegin: open,
        onObjectEnd: close,
        onArrayEnd: close,
        onError: (code, _offset, _length, line, character) => {
          const name = printParseErrorCode(code);
          stop(sentences[name] ?? name, line, character);
        },
      },
      { disallowComments: true },
    );
  } catch (error) {
    if (error instanceof Found) return error.mistake;
    throw error;
  }
  return undefined;
}
