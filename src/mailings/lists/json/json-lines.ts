/** Opens JSON lines. Each line is an object, whose keys are the columns. */
import {
  formatCount,
  tooLarge,
  unreadable,
  type List,
  type ListBatch,
  type RowProblem,
} from '../list.ts';
import { listLimits } from '../list-limits.ts';
import { RowCollector } from '../row-collector.ts';
import type { TextEncoding } from '../text/detect-encoding.ts';
import { readText } from '../text/read-text.ts';
import { checkCells, isObject, parseJson } from './json-values.ts';
import { ObjectKeys, type ObjectColumns } from './object-keys.ts';
import { listHint, objectLine } from './wrapped-list.ts';

/**
 * Reads the whole file once for the keys, because a key of later rows only is a column too. `isDocument` means that the
 * sender calls it one JSON document.
 */
export async function openJsonLines(
  path: string,
  bytes: number,
  encoding: TextEncoding,
  { isDocument }: { isDocument: boolean },
): Promise<List> {
  const keys = new ObjectKeys();
  let first: Readonly<Record<string, unknown>> | undefined;
  let lineCount = 0;
  const lines = readLines(path, encoding, (text, line) => {
    if (text.trim() !== '') lineCount += 1;
    const object = parseObject(text);
    if (object === undefined) return;
    first ??= object;
    keys.add(object, line);
  });
  for await (const _ of lines);
  const columns = keys.columns();
  if (columns.names.length === 0) {
    throw unreadable('The list has no line with a JSON object. Expected one object a line.');
  }
  const fault = lineCount === 1 && first !== undefined ? objectLine(first, isDocument) : undefined;
  if (fault !== undefined) throw fault;
  return {
    format: { kind: 'json-lines', encoding: encoding.encoding },
    bytes,
    columns: columns.names,
    headerRow: 0,
    headerProblems: [],
    numberColumns: new Set(columns.names.keys()),
    batches: () => readBatches(path, encoding, columns),
  };
}

async function* readBatches(
  path: string,
  encoding: TextEncoding,
  columns: ObjectColumns,
): AsyncGenerator<ListBatch, void, void> {
  const collector = new RowCollector(columns.names, {
    needsAllCells: false,
    strayEncoding: encoding.strayEncoding,
  });
  const lines = readLines(path, encoding, (text, line) => {
    if (text.trim() === '') return;
    const cells = readCells(text, columns);
    if (cells === undefined) {
      collector.add([], line, line, notJson);
      return;
    }
    checkCells(cells, columns.names, line);
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

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined for a line that is not an object, or whose values are nested too deeply to be serialized. */
function readCells(text: string, columns: ObjectColumns): string[] | undefined {
  const object = parseObject(text);
  if (object === undefined) return undefined;
  try {
    return columns.cells(object);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
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
    `Line ${formatCount(line)} has more than ${formatCount(listLimits.rowCharactersMax)} characters, the limit of a row. Expected one JSON object a line.${line === 1 ? listHint(text) : ''}`,
  );
}
