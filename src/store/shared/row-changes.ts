/** Changed rows of shared tables, and the encoding of their keys in the log of changes. */
import type { SharedTable } from './shared-tables.ts';
import type { ChangedKeys, Row, Value } from '../database/shared-contract.ts';

/** Changes of rows of one table, as their final state. */
export interface TableChanges {
  table: SharedTable;
  /** Keys of deleted rows. */
  deleted: readonly Row[];
  /** New and changed rows, in the order of the table's columns. */
  rows: readonly Row[];
}

/** One entry of the log: the keys of changed rows by table. `all` means that a node must copy all tables. */
type LogEntry = 'all' | Record<string, LogValue[][]>;

/** A value of a key. JSON has no type for bytes, so they are hex. */
type LogValue = string | number | null | { hex: string };

export const everythingChanged = JSON.stringify('all' satisfies LogEntry);

/** The keys of changed rows, deleted ones first. */
export function keysOf(changes: readonly TableChanges[]): Map<string, Row[]> {
  return new Map(
    changes.map(({ table, deleted, rows }) => {
      const indexes = table.key.map((name) =>
        table.columns.findIndex((each) => each.name === name),
      );
      const keys = rows.map((row) => indexes.map((index) => row[index] ?? null));
      return [table.name, [...deleted, ...keys]];
    }),
  );
}

/** Writes changes as the text of a log entry. */
export function writeLogEntry(changes: readonly TableChanges[]): string {
  const entry: LogEntry = {};
  for (const [name, keys] of keysOf(changes)) {
    entry[name] = keys.map((key) => key.map(toLogValue));
  }
  return JSON.stringify(entry);
}

/** The keys of several entries without duplicates; undefined if one entry is `all`. */
export function readLogEntries(texts: readonly string[]): ChangedKeys | undefined {
  const byTable = new Map<string, Map<string, Row>>();
  for (const text of texts) {
    const entry = JSON.parse(text) as LogEntry;
    if (entry === 'all') return undefined;
    for (const [name, keys] of Object.entries(entry)) {
      let known = byTable.get(name);
      if (known === undefined) byTable.set(name, (known = new Map<string, Row>()));
      for (const key of keys) known.set(JSON.stringify(key), key.map(fromLogValue));
    }
  }
  return new Map([...byTable].map(([name, keys]) => [name, [...keys.values()]]));
}

function toLogValue(value: Value): LogValue {
  return Buffer.isBuffer(value) ? { hex: value.toString('hex') } : value;
}

function fromLogValue(value: LogValue): Value {
  return value !== null && typeof value === 'object' ? Buffer.from(value.hex, 'hex') : value;
}

/** Cuts a list into parts of at most `length`. */
export function inParts<Item>(items: readonly Item[], length: number): (readonly Item[])[] {
  const parts: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += length) {
    parts.push(items.slice(start, start + length));
  }
  return parts;
}
