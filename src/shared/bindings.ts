/** Finds `{{name}}` in a template's strings and puts values in its place, once and never again. */

const bindingPattern = /\{\{([^{}]{1,128})\}\}/g;
const wholeBindingPattern = /^\{\{([^{}]{1,128})\}\}$/;

/** JSON pattern of a property that is one binding and nothing else. */
export const bindingSource = '^\\{\\{[^{}]{1,128}\\}\\}$';

/** Names bound by `{{name}}` in a text, in order; white space around a name is not part of it. */
export function boundNames(text: string): string[] {
  return [...text.matchAll(bindingPattern)].map((match) => (match[1] ?? '').trim());
}

/** The name that a string binds when it is nothing but `{{name}}`. */
export function wholeBinding(text: string): string | undefined {
  return wholeBindingPattern.exec(text)?.[1]?.trim();
}

/**
 * Puts values in place of `{{name}}`, in one pass: what a value contains is never looked at again
 * (`{{x}}` inside a value stays text). A name without a value becomes empty. `toText` writes each
 * value the way the text around it needs, such as escaped in markup.
 */
export function bindText(
  text: string,
  values: ReadonlyMap<string, string>,
  toText: (value: string) => string = (value) => value,
): string {
  if (!text.includes('{{')) return text;
  return text.replace(bindingPattern, (_, name: string) => toText(values.get(name.trim()) ?? ''));
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
