/** Finds `{{name}}` in a template's strings and puts values in its place, once and never again. */
import { formatValue, variableOf } from '../values/formatted-binding.ts';
import type { Names } from '../values/formatted-binding.ts';
import type { FormatContext } from '../values/value-formats.ts';

/** A name, or a name and formats: `price | currency:EUR`. */
const binding = String.raw`[^{}]{1,128}|[^{}|]{1,128}\|[^{}]{1,640}`;

/** `{{name}}`, with what is between the brackets as its group. */
export const bindingPattern = new RegExp(String.raw`\{\{(${binding})\}\}`, 'g');
const wholeBindingPattern = new RegExp(String.raw`^\{\{(${binding})\}\}$`);

/** JSON pattern of a property that is one binding and nothing else. */
export const bindingSource = String.raw`^\{\{(${binding})\}\}$`;

/** Properties that draw a value as it is written, whatever its variable's type: texts, spans and codes. */
export const textNames: ReadonlySet<string> = new Set(['text', 'value', 'alternatives']);

/** What stands between the brackets of each binding in a text, in order, without the white space around it. */
export function bindingsIn(text: string): string[] {
  return [...text.matchAll(bindingPattern)].map((match) => (match[1] ?? '').trim());
}

/** Names of the variables that a text binds, in order. `names` are those of the template's variables. */
export function boundNames(text: string, names: Names): string[] {
  return bindingsIn(text).map((source) => variableOf(source, names));
}

/** The binding that a string is when it is nothing but `{{name}}`, without its brackets. */
export function wholeBinding(text: string): string | undefined {
  return wholeBindingPattern.exec(text)?.[1]?.trim();
}

/**
 * Puts values in place of `{{name}}`, in one pass: what a value contains is never looked at again
 * (`{{x}}` inside a value stays text). A name without a value becomes empty, and so does one with formats where there is
 * no context for them.
 */
export function bindText(
  text: string,
  values: ReadonlyMap<string, string>,
  context?: FormatContext,
): string {
  if (!text.includes('{{')) return text;
  return text.replace(bindingPattern, (_, source: string) => boundValue(source, values, context));
}

/** The value of a binding. A variable whose name is the whole of it wins over formats. */
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
 * Puts values into the address of an image. A value that is the whole address, or begins it, stays as it is;
 * inside an address it is one piece of text, percent-encoded, so that it can neither leave its folder nor
 * change the host, the query or the fragment. The body of a `data:` URL takes values as they are.
 */
export function bindAddress(
  text: string,
  values: ReadonlyMap<string, string>,
  context?: FormatContext,
): string {
  const address = text.trim();
  const isData = /^data:/i.test(address);
  return address.replace(bindingPattern, (_, source: string, offset: number) => {
    const value = boundValue(source, values, context);
    return offset === 0 || isData ? value : encodePiece(value);
  });
}

/** A URL reads `..` as the folder above however its dots are written, unless they are encoded twice. */
function encodePiece(value: string): string {
  if (/^\.+$/.test(value)) return value.replaceAll('.', '%252E');
  return encodeURIComponent(value.toWellFormed());
}

/** Every string inside a JSON value with its path, such as `spans[0].text`; depth is bounded by the document's. */
export function* walkStrings(value: unknown, path = ''): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* walkStrings(item, `${path}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      yield* walkStrings(item, path === '' ? name : `${path}.${name}`);
    }
  }
}
