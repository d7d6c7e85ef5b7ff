/** The forms of a template's uid and of a layer's id. Neither needs quotes or escapes in an address or a header. */

/** A part of a regular expression: 1 to 64 letters, digits, - or _. */
export const uidSource = '[A-Za-z0-9_-]{1,64}';

/** A pattern of JSON Schema for a text that is a uid. */
export const uidSchemaPattern = `^${uidSource}$`;

const uidPattern = new RegExp(uidSchemaPattern);

/** Whether the whole text has the form of a uid. */
export function isUid(text: string): boolean {
  return uidPattern.test(text);
}

/** The id of the copy of a layer for an item of a list, from 1. No document has it: `title:2`. */
export function itemLayerId(id: string, number: number): string {
  return `${id}:${number}`;
}

/** The id of the layer in its document, if `id` is that of a copy. */
export function documentLayerId(id: string): string {
  return id.replace(/:\d+$/, '');
}
