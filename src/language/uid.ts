/** The form of a template's uid and of a layer's id. Neither needs quotes or escapes in an address or a header. */

/** A part of a regular expression: 1 to 64 letters, digits, - or _. */
export const uidSource = '[A-Za-z0-9_-]{1,64}';

/** A pattern of JSON Schema for a text that is a uid. */
export const uidSchemaPattern = `^${uidSource}$`;

const uidPattern = new RegExp(uidSchemaPattern);

/** Whether the whole text has the form of a uid. */
export function isUid(text: string): boolean {
  return uidPattern.test(text);
}
