/** Opens a vCard file as a list with a row for each card. */
import { formatCount, unreadable, type List, type ListBatch, type RowProblem } from '../list.ts';
import { RowCollector } from '../row-collector.ts';
import type { TextEncoding } from '../text/detect-encoding.ts';
import { checkCellLength } from '../workbook/cell-length.ts';
import { Card, cardColumns, isRead, type CardColumn } from './card.ts';
import { readProperties } from './properties.ts';

/** A card that ends. `badLine` is its first line that is no property. */
interface FinishedCard {
  card: Card;
  number: number;
  line: number;
  badLine: number | undefined;
}

export function isVcard(text: string): boolean {
  return /^BEGIN:VCARD\s/i.test(text);
}

/** Reads the file once to know which columns have values. */
export async function openVcard(
  path: string,
  bytes: number,
  encoding: TextEncoding,
): Promise<List> {
  const filled = new Set<CardColumn>();
  const cards = readCards(path, encoding, ({ card }) => {
    for (const column of cardColumns) if (card.get(column) !== '') filled.add(column);
  });
  for await (const _ of cards);
  const columns = cardColumns.filter((column) => filled.has(column));
  if (columns.length === 0) {
    throw unreadable('The vCard file has no name, address or number. Export the contacts again.');
  }
  return {
    format: { kind: 'vcard', encoding: encoding.encoding },
    bytes,
    columns,
    headerRow: 0,
    headerProblems: [],
    batches: () => readBatches(path, encoding, columns),
  };
}

async function* readBatches(
  path: string,
  encoding: TextEncoding,
  columns: readonly CardColumn[],
): AsyncGenerator<ListBatch, void, void> {
  const collector = new RowCollector(columns, { needsAllCells: false });
  const cards = readCards(path, encoding, ({ card, number, line, badLine }) => {
    const cells = columns.map((column) => card.get(column));
    for (const cell of cells) checkCellLength(cell);
    collector.add(cells, number, line, badLine === undefined ? undefined : notProperty(badLine));
  });
  let read = 0;
  for await (const bytesRead of cards) {
    read = bytesRead;
    yield* collector.take(bytesRead, false);
  }
  yield* collector.take(read, true);
}

function notProperty(line: number): Pick<RowProblem, 'cause' | 'message'> {
  const message = `Line ${formatCount(line)} of the card is no property. Expected NAME:value, or a space before a line that continues the one above.`;
  return { cause: 'not-vcard', message };
}

/** Calls `handle` for each card, and yields the number of bytes read after each chunk. */
async function* readCards(
  path: string,
  encoding: TextEncoding,
  handle: (card: FinishedCard) => void,
): AsyncGenerator<number, void, void> {
  let current: FinishedCard | undefined;
  let count = 0;
  /** Cards inside the card, and whether one may start. */
  let depth = 0;
  let isAgent = false;
  const pieces = readProperties(path, encoding, isRead, (property) => {
    const { name, value, line } = property;
    if (name === 'BEGIN' && current === undefined) {
      count += 1;
      current = { card: new Card(), number: count, line, badLine: undefined };
    } else if (current === undefined) {
      throw outside(line);
    } else if (name === 'BEGIN') {
      if (!isAgent) throw unclosed(current.line, line);
      depth += 1;
    } else if (name === 'END') {
      if (depth === 0) handle(current);
      if (depth === 0) current = undefined;
      else depth -= 1;
    } else if (depth === 0 && name === '') {
      current.badLine ??= line;
    } else if (depth === 0) {
      current.card.add(property);
    }
    isAgent = name === 'AGENT' && value.trim() === '';
  });
  yield* pieces;
  if (current !== undefined) throw unclosed(current.line);
}

function outside(line: number): Error {
  return unreadable(
    `Line ${formatCount(line)} of the vCard file is outside of a card. Expected BEGIN:VCARD before it.`,
  );
}

function unclosed(line: number, next?: number): Error {
  const where = next === undefined ? 'at the end of the file' : `before line ${formatCount(next)}`;
  return unreadable(
    `The card that begins on line ${formatCount(line)} does not end ${where}. Expected END:VCARD: the file was perhaps cut off, so export it again.`,
  );
}
