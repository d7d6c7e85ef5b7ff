/** Writes the names of a document in one normal form, so that look-ups need not compare forms. */
import { bindingPattern } from './bindings.ts';
import { composed } from '../normal-form.ts';
import type { Template } from '../schema/template.ts';

/** Writes a text that is the value of a property. */
type Write = (text: string, property: string) => string;

/**
 * The document with the names of variables, fields and columns in NFC, in bindings, conditions and frames too. Other text
 * stays as it is. Returns the same object if no name changes. The document must fit its schema, and is not changed.
 */
export function withComposedNames(template: Template): Template {
  const { variables, ...rest } = template;
  const declared = rewrite(variables, '', (text, property) =>
    property === 'name' || property === 'from' ? composed(text) : text,
  );
  const names = new Set(declared.map(({ name }) => name));
  const bound = rewrite(rest, '', (text, property) =>
    property === 'variable' || property === 'list' ? composed(text) : composeBindings(text, names),
  );
  return declared === variables && bound === rest ? template : { ...bound, variables: declared };
}

/** A JSON value with its texts rewritten, and its keys where they are names; the same value if nothing changes. */
function rewrite<Value>(value: Value, property: string, write: Write): Value {
  if (typeof value === 'string') return write(value, property) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => rewrite(item, property, write));
    return items.every((item, index) => item === value[index]) ? value : (items as Value);
  }
  // Items of a list by field, and values of a frame by variable.
  const hasNames = property === 'value' || property === 'values';
  let isSame = true;
  const entries = Object.entries(value).map(([key, item]: [string, unknown]) => {
    const name = hasNames && !Object.hasOwn(value, composed(key)) ? composed(key) : key;
    const written = rewrite(item, key, write);
    isSame &&= name === key && written === item;
    return [name, written];
  });
  return isSame ? value : (Object.fromEntries(entries) as Value);
}

/** The text with the names in its bindings composed. The arguments of formats may be values of codes, so they stay. */
function composeBindings(text: string, names: ReadonlySet<string>): string {
  if (!text.includes('{{')) return text;
  return text.replaceAll(bindingPattern, (_, source: string) => {
    const nameEnd = names.has(composed(source).trim()) ? source.length : `${source}|`.indexOf('|');
    return `{{${composed(source.slice(0, nameEnd))}${source.slice(nameEnd)}}}`;
  });
}
