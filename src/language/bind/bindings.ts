/** Finds `{{name}}` in a template's strings and replaces it by a value, in a single pass. */
import { formatValue, variableOf } from '../values/formatted-binding.ts';
import type { Names } from '../values/formatted-binding.ts';
import { inDigitsOf } from '../values/number-formats.ts';
import type { FormatContext } from '../values/value-formats.ts';

/** A name, or a name and formats: `price | currency:EUR`. */
const binding = String.raw`[^{}]{1,128}|[^{}|]{1,128}\|[^{}]{1,640}`;

/** `{{name}}`. Group 1 is the text between the braces. */
export const bindingPattern = new RegExp(String.raw`\{\{(${binding})\}\}`, 'g');
const wholeBindingPattern = new RegExp(String.raw`^\{\{(${binding})\}\}$`);

/** JSON pattern of a property that is one binding and nothing else. */
export const bindingSource = String.raw`^\{\{(${binding})\}\}$`;

/** Properties that take a value as text, whatever the type of its variable: texts, spans and codes. */
export const textNames: ReadonlySet<string> = new Set(['text', 'value', 'alternatives']);

/** The text between the braces of each binding, in order, trimmed. */
export function bindingsIn(text: string): string[] {
  if (!text.includes('{{')) return [];
  return [...text.matchAll(bindingPattern)].map((match) => (match[1] ?? '').trim());
}

/** Names of the variables that a text binds, in order. `names` are the names of the template's variables. */
export function boundNames(text: string, names: Names): string[] {
  return bindingsIn(text).map((source) => variableOf(source, names));
}

/** The text between the braces, if the whole string is one binding; undefined for any other string. */
export function wholeBinding(text: string): string | undefined {
  return wholeBindingPattern.exec(text)?.[1]?.trim();
}

/**
 * Replaces each `{{name}}` by its value in one pass: `{{x}}` inside a value stays text. A name without a value becomes
 * empty. A binding with formats becomes empty if `context` is undefined.
 */
export function bindText(
  text: string,
  values: ReadonlyMap<string, string>,
  context?: FormatContext,
): string {
  return replaceBindings(text, (source) => boundValue(source, values, context));
}

/**
 * As `bindText`, for a text that people read: live numbers are in the digits of the language, as formats write them.
 * `write` changes each value.
 */
export function bindDrawnText(
  text: string,
  values: ReadonlyMap<string, string>,
  context: FormatContext,
  write = (value: string): string => value,
): string {
  return replaceBindings(text, (source) => write(drawnValue(source, values, context)));
}

function replaceBindings(text: string, write: (source: string) => string): string {
  if (!text.includes('{{')) return text;
  return text.replace(bindingPattern, (_, source: string) => write(source));
}

/** The value of a binding as people read it. */
export function drawnValue(
  source: string,
  values: ReadonlyMap<string, string>,
  context: FormatContext,
): string {
  const value = boundValue(source, values, context);
  const isLive = context.liveNumbers?.has(source.trim()) === true;
  return isLive ? inDigitsOf(context.lang, value) : value;
}

/** The value of a binding. A variable with the whole text as its name takes precedence over formats. */
export function boundValue(
  source: string,
  values: ReadonlyMap<string, string>,
  context: FormatContext | undefined,
): string {
  const name = source.trim();
  const value = values.get(name);
  if (value !== undefined || context === undefined || !name.includes('|')) return value ?? '';
  return formatValue(name, values, context);
}

/**
 * Binds values in the address of an image. A value at the start of the address stays as it is. Any other value is
 * percent-encoded as one path piece: it cannot change the folder, the host, the query or the fragment. The body of a
 * `data:` URL takes values as they are.
 */
export function bindAddress(
  text: string,
  values: ReadonlyMap<string, string>,
  context?: FormatContext,
): string {
  const address = text.trim();
  const isData = /^data:/i.test(address);
  const bound = address.replace(bindingPattern, (_, source: string, offset: number) => {
    const value = boundValue(source, values, context);
    return offset === 0 || isData ? value : encodePiece(value);
  });
  if (!isKept(bound)) return bound;
  const last = lastAddresses.get(address);
  if (last === bound) return last;
  keep(lastAddresses, address, bound);
  return bound;
}

// Layers and items often bind the same long values. Two small caches of texts of 100 to 16,384 UTF-16 units keep them
// from being encoded again, and from being hashed again as different strings.

/** Encoded texts by value. */
const encodedValues = new Map<string, string>();
/** The last address by its text with bindings. */
const lastAddresses = new Map<string, string>();

const keptMax = 16;

function isKept({ length }: string): boolean {
  return length >= 100 && length <= 16_384;
}

function keep(cache: Map<string, string>, text: string, bound: string): void {
  if (cache.size === keptMax) cache.clear();
  cache.set(text, bound);
}

/** URL parsers read `..` and `%2E%2E` as the parent folder. Dots that are encoded twice stay text. */
function encodePiece(value: string): string {
  if (/^\.+$/.test(value)) return value.replaceAll('.', '%252E');
  const known = isKept(value) ? encodedValues.get(value) : undefined;
  if (known !== undefined) return known;
  const encoded = encodeURIComponent(value.toWellFormed());
  if (isKept(value)) keep(encodedValues, value, encoded);
  return encoded;
}

/**
 * A text that binds values: its path in an object, such as `.spans[0].text`, and the text between the braces of each
 * binding.
 */
export interface BoundText {
  path: string;
  text: string;
  sources: readonly string[];
}

const boundTexts = new WeakMap<object, readonly BoundText[]>();
const noTexts: readonly BoundText[] = [];

/**
 * The texts of an object that bind values, without the children of a layer. Kept as long as the object: documents never
 * change.
 */
export function boundTextsIn(owner: object): readonly BoundText[] {
  let found = boundTexts.get(owner);
  if (found === undefined) {
    found = collectBound(owner, '', undefined) ?? noTexts;
    boundTexts.set(owner, found);
  }
  return found;
}

/** Whether a JSON value binds another one. */
export function isBound(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{');
  return typeof value === 'object' && value !== null
    ? collectBound(value, '', undefined) !== undefined
    : false;
}

/** Adds to `before`; undefined while nothing is found, as in most layers. Paths are written for what is found alone. */
function collectBound(
  value: object,
  path: string,
  before: BoundText[] | undefined,
): BoundText[] | undefined {
  let found = before;
  const isArray = Array.isArray(value);
  for (const name of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[name];
    if (typeof item === 'string') {
      if (!item.includes('{{')) continue;
      found ??= [];
      found.push({ path: path + stepTo(name, isArray), text: item, sources: bindingsIn(item) });
    } else if (typeof item === 'object' && item !== null && name !== 'layers') {
      found = collectBound(item, path + stepTo(name, isArray), found);
    }
  }
  return found;
}

function stepTo(name: string, isArray: boolean): string {
  return isArray ? `[${name}]` : `.${name}`;
}

/** Every string inside a JSON value with its path, such as `spans[0].text`. Recurses as deep as the document is nested. */
export function walkStrings(value: unknown): [path: string, text: string][] {
  const found: [path: string, text: string][] = [];
  // An array, because generators within one another take ten times as long.
  collectStrings(value, '', found);
  return found;
}

function collectStrings(value: unknown, path: string, found: [string, string][]): void {
  if (typeof value === 'string') found.push([path, value]);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collectStrings(item, `${path}[${index}]`, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      collectStrings(item, path === '' ? name : `${path}.${name}`, found);
    }
  }
}
