/** Explains JSON that is an object around a list, as APIs answer with it. */
import { unreadable } from '../list.ts';
import { isObject } from './json-values.ts';

/** The error of a document that is an object. `start` is the start of its text. */
export function objectDocument(start: string): Error {
  const [key] = arrayKeys(start);
  return key === undefined
    ? unreadable(
        'The list is one JSON object. Expected an array of objects, [{"name": "value"}, …], or one object a line.',
      )
    : wrapped(key);
}

/**
 * The error of an object that is the only line of a file and has a list inside; undefined for a row. A row of a template
 * with a list has an array, too: without other keys, or in a file of the type `application/json`, it is none.
 */
export function objectLine(
  object: Readonly<Record<string, unknown>>,
  isDocument: boolean,
): Error | undefined {
  const entries = Object.entries(object);
  const lists = entries.filter(
    ([, value]) => Array.isArray(value) && value.length > 0 && value.every(isRow),
  );
  const [key] = lists.map(([name]) => name);
  if (key === undefined || lists.length > 1) return undefined;
  return isDocument || entries.length === 1 ? wrapped(key) : undefined;
}

/** A sentence for a long first line that is an object with a list inside; empty without one. */
export function listHint(start: string): string {
  const [key] = arrayKeys(start);
  return key === undefined ? '' : ` ${remedy(key)}`;
}

function isRow(value: unknown): boolean {
  return isObject(value) || Array.isArray(value);
}

function wrapped(key: string): Error {
  return unreadable(`The list is one JSON object. ${remedy(key)}`);
}

const shownKeyMax = 60;

function remedy(key: string): string {
  const name = JSON.stringify(key.slice(0, shownKeyMax));
  return `Its key ${name} has an array: send that alone, for example what \`jq '.[${name}]' list.json\` writes.`;
}

/** The keys of an object that have arrays, as far as its text goes. */
function arrayKeys(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  // A text, with what follows it, or a bracket.
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:\s*\[)?|[[\]{}]/gs)) {
    if (part.startsWith('"')) {
      if (!part.endsWith('[')) continue;
      const end = part.lastIndexOf('"') + 1;
      if (depth === 1) keys.push(JSON.parse(part.slice(0, end)) as string);
      depth += 1;
    } else {
      depth += part === '[' || part === '{' ? 1 : -1;
    }
  }
  return keys;
}
