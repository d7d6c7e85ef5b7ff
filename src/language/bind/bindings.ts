/** Finds `{{name}}` in a template's strings and puts values in its place, once and never again. */

/** `{{name}}`, with what is between the brackets as its group. */
export const bindingPattern = /\{\{([^{}]{1,128})\}\}/g;
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
 * (`{{x}}` inside a value stays text). A name without a value becomes empty.
 */
export function bindText(text: string, values: ReadonlyMap<string, string>): string {
  if (!text.includes('{{')) return text;
  return text.replace(bindingPattern, (_, name: string) => values.get(name.trim()) ?? '');
}

/**
 * Puts values into the address of an image. A value that is the whole address, or begins it, stays as it is;
 * inside an address it is one piece of text, percent-encoded, so that it can neither leave its folder nor
 * change the host, the query or the fragment. The body of a `data:` URL takes values as they are.
 */
export function bindAddress(text: string, values: ReadonlyMap<string, string>): string {
  const address = text.trim();
  const isData = /^data:/i.test(address);
  return address.replace(bindingPattern, (_, name: string, offset: number) => {
    const value = values.get(name.trim()) ?? '';
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
