/** The form of template uids and layer ids. They need no quotes or escapes in addresses and headers. */

/** Source of a regular expression: 1 to 64 letters, digits, - or _. */
export const uidSource = '[A-Za-z0-9_-]{1,64}';

/** JSON Schema pattern of a uid. */
export const uidSchemaPattern = `^${uidSource}$`;

const uidPattern = new RegExp(uidSchemaPattern);

/** Whether the whole text has the form of a uid. */
export function isUid(text: string): boolean {
  return uidPattern.test(text);
}

/**
 * The id of a layer's copy for an item, such as `title:2`. Items count from 1. No layer of a document can have this id.
 */
export function itemLayerId(id: string, number: number): string {
  return `${id}:${number}`;
}

/** The id of the layer in its document: removes the item's number from the id of a copy. */
export function documentLayerId(id: string): string {
  return id.replace(/:\d+$/, '');
}
