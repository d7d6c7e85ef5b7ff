/** Names of sizes, and the properties of layers that may differ in a size. */

/**
 * Pattern of the name of a size, which is part of links. Also valid as the `pattern` of an HTML field, which needs `-`
 * escaped.
 */
export const sizeNamePattern = String.raw`^[a-z][a-z0-9\-]{0,31}$`;

/** Properties of every layer that may differ in a size: box, rotation and visibility. */
const frameProperties = [
  'x',
  'y',
  'width',
  'height',
  'minWidth',
  'maxWidth',
  'minHeight',
  'maxHeight',
  'rotation',
  'visible',
] as const;

/** Further properties by layer type: how letters, images and stacks fill their box. */
const typeProperties: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['fontSize', 'minSize', 'maxLines', 'lineHeight', 'align', 'verticalAlign']],
  ['image', ['fit', 'focusX', 'focusY', 'smartCrop', 'crop', 'zoom']],
  ['stack', ['direction', 'gap', 'padding', 'align', 'justify', 'wrap']],
]);

/** Properties of a layer type that may differ in a size. */
export function sizeProperties(type: string): readonly string[] {
  return [...frameProperties, ...(typeProperties.get(type) ?? [])];
}

/** The values of a layer that differ in a size, by property. */
export type SizeOverrides = Readonly<Record<string, unknown>>;
