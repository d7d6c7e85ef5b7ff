/** The keys of objects as columns. */
import { checkColumnCount } from '../header.ts';
import { formatCount, tooLarge } from '../list.ts';
import { listLimits } from '../list-limits.ts';
import { cellText } from './json-values.ts';

/** Collects keys. Columns are named in NFC: keys that are equal in it are one column. */
export class ObjectKeys {
  readonly #columnsByKey = new Map<string, string>();

  add(object: Readonly<Record<string, unknown>>, line: number): void {
    for (const key of Object.keys(object)) {
      if (this.#columnsByKey.has(key)) continue;
      checkKey(key, line);
      this.#columnsByKey.set(key, key.normalize('NFC'));
      checkColumnCount(this.#columnsByKey.size, line);
    }
  }

  /** The columns in the order of their first keys. */
  columns(): ObjectColumns {
    return new ObjectColumns(this.#columnsByKey);
  }
}

/** Reads objects as rows. */
export class ObjectColumns {
  readonly names: readonly string[];
  readonly #keys: readonly (readonly string[])[];

  constructor(columnsByKey: ReadonlyMap<string, string>) {
    const keys = Map.groupBy(columnsByKey.keys(), (key) => columnsByKey.get(key) ?? key);
    this.names = [...keys.keys()];
    this.#keys = [...keys.values()];
  }

  /** The cells of an object. Throws a `RangeError` for deep nesting. */
  cells(object: Readonly<Record<string, unknown>>): string[] {
    return this.#keys.map((ofColumn) => {
      const key = ofColumn.find((each) => Object.hasOwn(object, each));
      return key === undefined ? '' : cellText(object[key]);
    });
  }
}

function checkKey(key: string, line: number): void {
  if (key.length <= listLimits.nameCharactersMax) return;
  throw tooLarge(
    `A key on line ${formatCount(line)} has ${formatCount(key.length)} characters, at most ${listLimits.nameCharactersMax}.`,
  );
}
