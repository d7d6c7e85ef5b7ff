/** Reads the items of a list variable: from JSON, or from parameters such as `items.0.title`. */
import { isUnmergedTag } from '#language/bind/merge-tags.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { countCodePoints } from '#language/limits/text-limit.ts';
import { composed, keyForms } from '#language/normal-form.ts';
import type { ListVariable, ScalarVariable, Variable } from '#language/schema/template.ts';
import { listText } from '#language/values/list-value.ts';
import { countTextValues } from '../foundation/count-values.ts';
import { unambiguousNumber } from '#language/values/read-number.ts';
import type { ListItem } from '#language/values/list-value.ts';

/** Upper bound of the values of a request, including those within lists, and of a list that is a text. */
export const valuesMax = 10_000;

/** Words that follow the name of what has more than `valuesMax` values. */
export const tooManyValues = `has more than ${valuesMax} values, those of lists included: leave out those that the template does not use`;

const { listItemsMax } = templateLimits;

/** The parameters of a link for one list. */
export interface GivenList {
  /** The value of the parameter with the list's name. */
  json?: string;
  /** Values of parameters such as `items.0.title`, by index and field; they override those of the JSON. */
  parts: Map<number, Map<string, string>>;
}

/** Callbacks of `readList`. */
export interface ListReader {
  /** Returns the value of a field; undefined if it is empty. `field` has the name of the parameter. */
  readField: (field: ScalarVariable, text: string) => string | undefined;
  /** Throws the problem, or returns if the list is repaired. */
  refuse: (problem: string) => void;
}

/** The variable that a name of a request means: the one of this name, else of another normal form of it. */
export function findVariable(
  name: string,
  variables: ReadonlyMap<string, Variable>,
): Variable | undefined {
  const exact = variables.get(name);
  if (exact !== undefined) return exact;
  return variables.get(keyForms(name).find((form) => variables.has(form)) ?? name);
}

/**
 * The list, the index and the field of a parameter such as `items.0.title`; undefined for any other name. The field has
 * the name of the parameter, with the names that the template gives.
 */
export function listPart(
  name: string,
  variables: ReadonlyMap<string, Variable>,
): { list: ListVariable; index: number; field: ScalarVariable } | undefined {
  const [, listName = '', digits = '', fieldName = ''] =
    /^(.+)\.(\d{1,4})\.([^.]+)$/.exec(name) ?? [];
  const list = findVariable(listName, variables);
  if (list?.type !== 'list') return undefined;
  const field =
    list.fields.find((each) => each.name === fieldName) ??
    list.fields.find((each) => composed(each.name) === composed(fieldName));
  if (field === undefined) return undefined;
  const path = `${list.name}.${digits}.${field.name}`;
  return { list, index: Number(digits), field: { ...field, name: path } };
}

/**
 * The text of a list for the values of a render; undefined if the link has no item. Items without a value are left out,
 * because an email service writes a link with the maximum number of items and leaves the rest empty.
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
  row: GivenItem,
  { readField }: ListReader,
): Map<string, string> {
  const item = new Map<string, string>();
  // The defaults of the other fields alone are no item.
  if ([...row.values()].every((text) => text === undefined)) return item;
  for (const field of fields) {
    if (!row.has(field.name)) continue;
    const text = row.get(field.name);
    const named = { ...field, name: `${listName}.${index}.${field.name}` };
    const value = text === undefined ? '' : readField(named, text);
    if (value !== undefined) item.set(field.name, value);
  }
  return item;
}

/** The first items, up to the limits of characters of a list. */
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
      const count = countCodePoints(composed(item.get(name) ?? value));
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

/** The texts of an item by field; undefined for a value that cannot be read, which draws nothing. */
type GivenItem = ReadonlyMap<string, string | undefined>;

/** The values of the JSON by index and field; numbers and booleans as written. */
function parseRows(
  list: ListVariable,
  json: string,
  { refuse }: ListReader,
): [number, GivenItem][] {
  const text = json.trim();
  if (text === '' || isUnmergedTag(text, list.name)) return [];
  if (countTextValues(text, valuesMax) > valuesMax) {
    refuse(tooManyValues);
    return [];
  }
  const items = parseItems(list, text);
  if (!Array.isArray(items)) {
    refuse(`is not a list: ${expectedJson}`);
    return [];
  }
  return items.map((item: unknown, index) => {
    const row = new Map<string, string | undefined>();
    if (index >= listItemsMax) return [index, row];
    if (!isRecord(item)) {
      refuse(`has an item ${index} that is no object: ${expectedJson}`);
      return [index, row];
    }
    for (const { name } of list.fields) {
      const given = keyForms(name).find((form) => Object.hasOwn(item, form));
      const value: unknown = given === undefined ? undefined : Reflect.get(item, given);
      if (typeof value === 'string') row.set(name, value);
      else if (typeof value === 'boolean') row.set(name, String(value));
      else if (value !== undefined && value !== null) {
        row.set(name, undefined);
        refuse(`has an item ${index} whose ${JSON.stringify(name)} is no text, number or boolean`);
      }
    }
    return [index, row];
  });
}

/** Parses the JSON. If the list reads numbers, which few do, each number is a text as `programNumbers` writes it. */
function parseItems(list: ListVariable, text: string): unknown {
  const items = parseJson(text);
  if (!Array.isArray(items)) return undefined;
  const hasNumbers = items
    .slice(0, listItemsMax)
    .some(
      (item: unknown) =>
        isRecord(item) &&
        list.fields.some(({ name }) => typeof Reflect.get(item, name) === 'number'),
    );
  return hasNumbers ? programNumbers(list, items, parseExactJson(text)) : items;
}

/**
 * The items of `exact`, whose numbers are texts, with the fields of the list alone. A number of a number field is
 * written so that no language reads it otherwise. `items` have the types of the values.
 */
function programNumbers(
  { fields }: ListVariable,
  items: readonly unknown[],
  exact: unknown,
): unknown {
  if (!Array.isArray(exact)) return exact;
  return exact.map((item: unknown, index) => {
    // The caller refuses the list, or leaves them out.
    if (index >= listItemsMax) return {};
    const typed = items[index];
    if (!isRecord(item) || !isRecord(typed)) return null;
    const given = fields.filter(({ name }) => Object.hasOwn(item, name));
    return Object.fromEntries(
      given.map(({ name, type }) => {
        const value: unknown = Reflect.get(item, name);
        const isNumber = type === 'number' && typeof Reflect.get(typed, name) === 'number';
        // `parseRows` rejects any object.
        const plain = typeof value === 'object' && value !== null ? {} : value;
        return [name, isNumber ? unambiguousNumber(String(value)) : plain];
      }),
    );
  });
}

/**
 * Returns the value of a list in a body as the text of a link, with the fields that the list reads. Unknown fields
 * would be stored with a short link, and each of its readers would parse them. A value of another kind is returned
 * unchanged: the caller refuses it. `exact` is the value with its numbers as texts.
 */
export function knownFields(list: ListVariable, value: unknown, exact: unknown): unknown {
  const text = typeof value === 'string' ? value.trim() : undefined;
  if (text !== undefined && countTextValues(text, valuesMax) > valuesMax) return value;
  const items = text === undefined ? value : parseJson(text);
  if (!Array.isArray(items)) return value;
  const known = programNumbers(list, items, text === undefined ? exact : parseExactJson(text));
  return JSON.stringify(known);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses JSON with each number as the text in which it is written; undefined for text that is no JSON or is nested
 * thousands of times. It is 30 times as slow as `JSON.parse` alone, so callers must bound the text.
 */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1]);
  } catch {
    return undefined;
  }
}

/** A reviver (ES2025) that keeps 19.90, which is 19.9 as a number. */
function keepDigits(_: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' ? source : value;
}
