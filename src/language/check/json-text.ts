/** Finds the first mistake of a text that is not JSON. `JSON.parse` reports the position of some mistakes only. */
import { createRequire } from 'node:module';
import type * as JsoncParser from 'jsonc-parser';

/** What is wrong with a text, and where; line and column count from 1, columns in UTF-16 units as editors do. */
export interface JsonMistake {
  line: number;
  column: number;
  /** Stands behind a position: `expected …`, or names what is there. */
  message: string;
}

/** Maximum depth of objects and lists; the parser's stack overflows at some thousands. */
const nestingMax = 500;

/** Properties of one object: twice the values of a render. Each has a name that the engine keeps, and checks go through all of them. */
const propertiesMax = 20_000;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
/** `{` and `}`; the brackets of lists differ from them in one bit, as capitals from small letters. */
const [opening, closing, capitalBit] = [0x7b, 0x7d, 0x20];

/**
 * Whether objects and lists in a JSON text of UTF-8 are nested deeper than `nestingMax`, or an object has more properties
 * than `propertiesMax`. `JSON.parse` takes any depth and number; what checks, changes and writes a value calls itself for
 * each level. Stops at the first one that exceeds a limit.
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

/** In a sentence, what an error code of the parser means. A mistake in a text stands where the text begins. */
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

/** Ends the parser at the first mistake. */
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

/** The first mistake of a text; undefined when it is JSON. Takes time in proportion to the text. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  // Loaded at the first mistake: most processes never find one.
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
