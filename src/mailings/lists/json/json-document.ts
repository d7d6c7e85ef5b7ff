/** Opens a JSON document: an array of objects, whose keys are the columns, or an array of arrays of cells. */
import { checkColumnCount, isHeader, nameColumns, readHeader } from '../header.ts';
import {
  unreadable,
  type List,
  type ListBatch,
  type ListOptions,
  type RowProblem,
} from '../list.ts';
import { RowCollector } from '../row-collector.ts';
import type { TextEncoding } from '../text/detect-encoding.ts';
import { markBytes, readText } from '../text/read-text.ts';
import { ArraySplitter } from './array-splitter.ts';
import { cellText, checkCells, isObject, parseJson } from './json-values.ts';
import { ObjectKeys } from './object-keys.ts';

/** An element of the array. `number` counts them from 1; `value` is undefined if it is nested too deeply. */
interface Element {
  value: unknown;
  number: number;
  line: number;
}

/** The cells of an element; undefined for one that is no row. */
type ReadCells = (value: unknown) => string[] | undefined;

/** The first element decides: an object, or an array with the names of the columns. */
export async function openJsonDocument(
  path: string,
  bytes: number,
  encoding: TextEncoding,
  options: Pick<ListOptions, 'hasHeader'>,
): Promise<List> {
  const first = await readFirst(path, encoding);
  if (first === undefined) throw unreadable('The list is empty. Expected an array of objects.');
  if (Array.isArray(first.value)) return openArrays(path, bytes, encoding, first, options);
  const keys = new ObjectKeys();
  const elements = readElements(path, encoding, ({ value, line }) => {
    if (isObject(value)) keys.add(value, line);
  });
  for await (const _ of elements);
  const columns = keys.columns();
  if (columns.names.length === 0) {
    throw unreadable('The JSON array has no object. Expected [{"name": "value"}, …].');
  }
  const readCells: ReadCells = (value) => (isObject(value) ? columns.cells(value) : undefined);
  return {
    format: { kind: 'json', encoding: encoding.encoding },
    bytes,
    columns: columns.names,
    headerRow: 0,
    headerProblems: [],
    numberColumns: new Set(columns.names.keys()),
    batches: () =>
      readBatches(path, encoding, {
        columns: columns.names,
        headerRow: 0,
        readCells,
        notRow: noObject,
      }),
  };
}

function openArrays(
  path: string,
  bytes: number,
  encoding: TextEncoding,
  { value, number, line }: Element,
  options: Pick<ListOptions, 'hasHeader'>,
): List {
  const cells = cellsOf(value) ?? [];
  checkColumnCount(cells.length, line);
  const hasHeader = options.hasHeader ?? isHeader(cells);
  const { columns, problems } = (hasHeader ? readHeader : nameColumns)(cells, line);
  const headerRow = hasHeader ? number : 0;
  return {
    format: { kind: 'json', encoding: encoding.encoding, hasHeader },
    bytes,
    columns,
    headerRow,
    headerProblems: problems,
    numberColumns: new Set(columns.keys()),
    batches: () =>
      readBatches(path, encoding, { columns, headerRow, readCells: cellsOf, notRow: noArray }),
  };
}

function cellsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.map((cell: unknown) => cellText(cell)) : undefined;
}

/** The first element that is no empty array; undefined for an empty array. */
async function readFirst(path: string, encoding: TextEncoding): Promise<Element | undefined> {
  let first: Element | undefined;
  const elements = readElements(path, encoding, (element) => {
    const cells = cellsOf(element.value);
    if (cells?.every((cell) => cell.trim() === '') !== true) first ??= element;
  });
  for await (const _ of elements) if (first !== undefined) break;
  return first;
}

interface Rows {
  columns: readonly string[];
  headerRow: number;
  readCells: ReadCells;
  /** The problem of an element that is no row. */
  notRow: Pick<RowProblem, 'cause' | 'message'>;
}

async function* readBatches(
  path: string,
  encoding: TextEncoding,
  { columns, headerRow, readCells, notRow }: Rows,
): AsyncGenerator<ListBatch, void, void> {
  const collector = new RowCollector(columns, {
    needsAllCells: false,
    strayEncoding: encoding.strayEncoding,
  });
  const elements = readElements(path, encoding, ({ value, number, line }) => {
    if (number <= headerRow) return;
    const cells = withoutOverflow(() => readCells(value));
    if (cells === undefined) {
      collector.add([], number - headerRow, line, notRow);
      return;
    }
    checkCells(cells, columns, line);
    collector.add(cells, number - headerRow, line);
  });
  let read = 0;
  for await (const bytesRead of elements) {
    read = bytesRead;
    yield* collector.take(bytesRead, false);
  }
  yield* collector.take(read, true);
}

const noObject: Pick<RowProblem, 'cause' | 'message'> = {
  cause: 'not-json',
  message: 'The element is no JSON object. Expected {"name": "value", …}.',
};

const noArray: Pick<RowProblem, 'cause' | 'message'> = {
  cause: 'not-json',
  message: 'The element is no JSON array. Expected ["value", …], as the first one.',
};

/** Undefined for a value that is nested too deeply for the stack. */
function withoutOverflow<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Calls `handle` for each element, and yields the number of bytes read after each chunk. */
async function* readElements(
  path: string,
  encoding: TextEncoding,
  handle: (element: Element) => void,
): AsyncGenerator<number, void, void> {
  let number = 0;
  let read = 0;
  const start = { encoding: encoding.encoding, bytes: markBytes(encoding) };
  const splitter = new ArraySplitter(start, (text, line) => {
    number += 1;
    handle({ value: parseElement(text, splitter), number, line });
  });
  for await (const { text, bytesRead } of readText(path, encoding)) {
    read = bytesRead;
    splitter.push(text);
    yield bytesRead;
  }
  splitter.end();
  yield read;
}

function parseElement(text: string, splitter: ArraySplitter): unknown {
  try {
    return withoutOverflow(() => parseJson(text));
  } catch (error) {
    // V8's message may contain a value.
    const [, offset = '0'] = /at position (\d+)/.exec((error as Error).message) ?? [];
    const where = offset === '0' ? 'in the element that starts at' : 'at';
    throw unreadable(
      `The JSON is broken ${where} ${splitter.describe(Number(offset))}. Export it again, or look for a missing comma, quote or bracket there.`,
    );
  }
}
