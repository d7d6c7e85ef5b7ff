/** Reads the items of a list variable: from JSON, or from parameters such as `items.0.title`. */
import { isUnmergedTag } from '#language/bind/merge-tags.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { countCodePoints } from '#language/limits/text-limit.ts';
import type { ListVariable, ScalarVariable, Variable } from '#language/schema/template.ts';
import { listText } from '#language/values/list-value.ts';
import type { ListItem } from '#language/values/list-value.ts';

/** What a link gives for one list. */
export interface GivenList {
  /** The value of the parameter with the list's name. */
  json?: string;
  /** Values of parameters such as `items.0.title`, by index and field; they win over those of the JSON. */
  parts: Map<number, Map<string, string>>;
}

/** Reads lists as a link gives them. */
export interface ListReader {
  /** The value of a field; undefined for an empty one. Its name is that of the parameter. */
  readField: (field: ScalarVariable, text: string) => string | undefined;
  /** Throws, or returns where the list is repaired. */
  refuse: (problem: string) => void;
}

/** The list, the index and the field that a parameter names; undefined for every other name. */
export function listPart(
  name: string,
  variables: ReadonlyMap<string, Variable>,
): { list: ListVariable; index: number; field: ScalarVariable } | undefined {
  const [, listName = '', digits = '', fieldName] = /^(.+)\.(\d{1,4})\.([^.]+)$/.exec(name) ?? [];
  const list = variables.get(listName);
  if (list?.type !== 'list') return undefined;
  const field = list.fields.find((each) => each.name === fieldName);
  return field && { list, index: Number(digits), field: { ...field, name } };
}

/**
 * The text of a list among the values of a render; undefined where nothing is given. An item without any value is left
 * out: an email service writes a link with as many items as there may be, and leaves the rest empty.
 */
export function readList(
  list: ListVariable,
  { json = '', parts }: GivenList,
  reader: ListReader,
): string | undefined {
  const rows = new Map(parseRows(list, json, reader));
  for (const [index, part] of parts)
    rows.set(index, new Map([...(rows.get(index) ?? []), ...part]));
  if (rows.size === 0) return undefined;
  const { listItemsMax } = templateLimits;
  const last = Math.max(...rows.keys());
  if (last >= listItemsMax) {
    reader.refuse(`has the item ${last}, and a list has at most ${listItemsMax}, from 0 on`);
  }
  const items: ListItem[] = [];
  for (const [index, row] of [...rows].toSorted(([a], [b]) => a - b)) {
    if (index >= listItemsMax) break;
    const item = readItem(list, index, row, reader);
    if (item.size > 0) items.push(item);
  }
  if (items.length === 0) return undefined;
  return listText(limitItems(items, list, reader), list);
}

function readItem(
  { name: listName, fields }: ListVariable,
  index: number,
  row: ReadonlyMap<string, string>,
  { readField }: ListReader,
): Map<string, string> {
  const item = new Map<string, string>();
  for (const field of fields) {
    const text = row.get(field.name);
    if (text === undefined) continue;
    const value = readField({ ...field, name: `${listName}.${index}.${field.name}` }, text);
    if (value !== undefined) item.set(field.name, value);
  }
  return item;
}

/** As many items as have the characters of one list. */
function limitItems(
  items: readonly ListItem[],
  { fields }: ListVariable,
  { refuse }: ListReader,
): readonly ListItem[] {
  const { listCodePointsMax, listTextCodePointsMax } = templateLimits;
  let codePoints = 0;
  let textCodePoints = 0;
  for (const [index, item] of items.entries()) {
    for (const { name, type, value } of fields) {
      const count = countCodePoints(item.get(name) ?? value);
      codePoints += count;
      if (type === 'text') textCodePoints += count;
    }
    const isText = textCodePoints > listTextCodePointsMax;
    if (!isText && codePoints <= listCodePointsMax) continue;
    const limit = isText
      ? `${listTextCodePointsMax} characters in its texts`
      : `${listCodePointsMax} characters`;
    refuse(`has more than ${limit}; give fewer items or shorter values`);
    return items.slice(0, index);
  }
  return items;
}

const expectedJson = 'expected JSON such as [{"title":"Shoes"}], with percent-encoding';

/** The values of the JSON by index and field; numbers and booleans as they are written. */
function parseRows(
  list: ListVariable,
  json: string,
  { refuse }: ListReader,
): [number, Map<string, string>][] {
  const text = json.trim();
  if (text === '' || isUnmergedTag(text, list.name)) return [];
  const items = parseItems(list, text);
  if (!Array.isArray(items)) {
    refuse(`is not a list: ${expectedJson}`);
    return [];
  }
  return items.map((item: unknown, index) => {
    const row = new Map<string, string>();
    if (!isRecord(item)) {
      refuse(`has an item ${index} that is no object: ${expectedJson}`);
      return [index, row];
    }
    for (const { name } of list.fields) {
      const value: unknown = Object.hasOwn(item, name) ? Reflect.get(item, name) : undefined;
      if (typeof value === 'string') row.set(name, value);
      else if (typeof value === 'boolean') row.set(name, String(value));
      else if (value !== undefined && value !== null) {
        refuse(`has an item ${index} whose ${JSON.stringify(name)} is no text, number or boolean`);
      }
    }
    return [index, row];
  });
}

/** The JSON with each number that the list reads as it is written: most lists have none. */
function parseItems({ fields }: ListVariable, text: string): unknown {
  let items: unknown;
  try {
    items = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(items)) return undefined;
  const hasNumbers = items.some(
    (item: unknown) =>
      isRecord(item) && fields.some(({ name }) => typeof Reflect.get(item, name) === 'number'),
  );
  return hasNumbers ? parseExactJson(text) : items;
}

/**
 * Returns the value of a list in a body as the text of a link, with the fields that the list reads. Unknown fields would
 * be stored with a short link, and each of its readers would parse them. A value of another kind is returned unchanged:
 * the caller refuses it.
 */
export function knownFields({ fields }: ListVariable, value: unknown): unknown {
  const items = typeof value === 'string' ? parseExactJson(value.trim()) : value;
  if (!Array.isArray(items)) return value;
  const known = items.map((item: unknown) => {
    if (!isRecord(item)) return null;
    const given = fields.filter(({ name }) => Object.hasOwn(item, name));
    return Object.fromEntries(
      given.map(({ name }) => {
        const field: unknown = Reflect.get(item, name);
        // Refused whatever it holds.
        return [name, typeof field === 'object' && field !== null ? {} : field];
      }),
    );
  });
  return JSON.stringify(known);
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The JSON with each number as the text that it is written as; undefined for a text that is no JSON, or that is nested
 * thousands of times. 30 times as slow as without the numbers' texts: bound what it holds.
 */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1]);
  } catch {
    return undefined;
  }
}

/** A reviver (ES2025): a double would make 19.9 of 19.90. */
function keepDigits(_: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' ? source : value;
}
