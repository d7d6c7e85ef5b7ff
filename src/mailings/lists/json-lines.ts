/** Opens JSON lines. Each line is an object, whose keys are the columns. */
import { checkColumnCount } from './header.ts';
import {
  formatCount,
  tooLarge,
  unreadable,
  type List,
  type ListBatch,
  type RowProblem,
} from './list.ts';
import { listLimits } from './list-limits.ts';
import { RowCollector } from './row-collector.ts';
import type { TextEncoding } from './text/detect-encoding.ts';
import { readText } from './text/read-text.ts';

/**
 * Reads the whole file once for the keys, because a key of later rows only is a column too. Columns are named in NFC:
 * keys that are equal in it are one column.
 */
export async function openJsonLines(
  path: string,
  bytes: number,
  encoding: TextEncoding,
): Promise<List> {
  const columnsByKey = new Map<string, string>();
  const lines = readLines(path, encoding, (text, line) => {
    const object = parseObject(text);
    if (object === undefined) return;
    for (const key of Object.keys(object)) {
      if (columnsByKey.has(key)) continue;
      checkKey(key, line);
      columnsByKey.set(key, key.normalize('NFC'));
      checkColumnCount(columnsByKey.size, line);
    }
  });
  for await (const _ of lines);
  if (columnsByKey.size === 0) {
    throw unreadable('The list has no line with a JSON object. Expected one object a line.');
  }
  const keys = Map.groupBy(columnsByKey.keys(), (key) => columnsByKey.get(key) ?? key);
  const columns = [...keys.keys()];
  return {
    format: { kind: 'json-lines', encoding: encoding.encoding },
    bytes,
    columns,
    headerRow: 0,
    headerProblems: [],
    numberColumns: new Set(columns.keys()),
    batches: () => readBatches(path, encoding, keys),
  };
}

async function* readBatches(
  path: string,
  encoding: TextEncoding,
  keys: ReadonlyMap<string, readonly string[]>,
): AsyncGenerator<ListBatch, void, void> {
  const columns = [...keys.keys()];
  const keysByColumn = [...keys.values()];
  const collector = new RowCollector(columns, {
    needsAllCells: false,
    strayEncoding: encoding.strayEncoding,
  });
  const lines = readLines(path, encoding, (text, line) => {
    if (text.trim() === '') return;
    const cells = readCells(text, keysByColumn);
    if (cells === undefined) {
      collector.add([], line, line, notJson);
      return;
    }
    const long = cells.findIndex((cell) => cell.length > listLimits.cellCharactersMax);
    if (long !== -1) {
      throw tooLarge(
        `"${columns[long]}" on line ${formatCount(line)} has more than ${formatCount(listLimits.cellCharactersMax)} characters, the limit of a cell.`,
      );
    }
    collector.add(cells, line, line);
  });
  let read = 0;
  for await (const bytesRead of lines) {
    read = bytesRead;
    yield* collector.take(bytesRead, false);
  }
  yield* collector.take(read, true);
}

const notJson: Pick<RowProblem, 'cause' | 'message'> = {
  cause: 'not-json',
  message: 'The line is no JSON object. Expected {"name": "value", …} on one line.',
};

function checkKey(key: string, line: number): void {
  if (key.length <= listLimits.nameCharactersMax) return;
  throw tooLarge(
    `A key on line ${formatCount(line)} has ${formatCount(key.length)} characters, at most ${listLimits.nameCharactersMax}.`,
  );
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // The reviver is much slower. It is needed only if a number may lose digits: 19.90, 1e3, 12345678901234567890.
    const value: unknown = /\d[.eE]|\d{16}/.test(text)
      ? JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1])
      : JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Record<string, unknown>;
  } catch {
    // Either a syntax error, or, with the reviver, thousands of nested arrays that exceed the stack.
    return undefined;
  }
}

/** A reviver of `JSON.parse` that keeps numbers as text (ES2025). */
function keepDigits(_: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' ? source : value;
}

/** Undefined for a line that is not an object, or whose values are nested too deeply to be serialized. */
function readCells(text: string, keys: readonly (readonly string[])[]): string[] | undefined {
  const object = parseObject(text);
  if (object === undefined) return undefined;
  try {
    return keys.map((ofColumn) => cellText(object, ofColumn));
  } catch (error) {
    // Deeply nested values exceed the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Lists and objects stay JSON; null and an absent key are an empty text. */
function cellText(object: Readonly<Record<string, unknown>>, keys: readonly string[]): string {
  const key = keys.find((each) => Object.hasOwn(object, each));
  const value = key === undefined ? undefined : object[key];
  if (value === undefined || value === null) return '';
  return typeof value === 'object'
    ? JSON.stringify(value)
    : `${value as string | number | boolean}`;
}

/** Calls `handle` for each line, counted from 1, and yields the number of bytes read after each chunk. */
async function* readLines(
  path: string,
  encoding: TextEncoding,
  handle: (text: string, line: number) => void,
): AsyncGenerator<number, void, void> {
  let rest = '';
  let line = 1;
  let read = 0;
  for await (const { text, bytesRead } of readText(path, encoding)) {
    read = bytesRead;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const each of lines) {
      checkLine(each, line);
      handle(each, line);
      line += 1;
    }
    checkLine(rest, line);
    yield bytesRead;
  }
  if (rest !== '') handle(rest, line);
  yield read;
}

function checkLine(text: string, line: number): void {
  if (text.length <= listLimits.rowCharactersMax) return;
  throw tooLarge(
    `Line ${formatCount(line)} has more than ${formatCount(listLimits.rowCharactersMax)} characters, the limit of a row. Expected one JSON object a line.`,
  );
}
