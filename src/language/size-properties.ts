/** What a size of a template may be called, and which properties of layers may differ in it. */

/** Pattern of the name of a size, which stands in links; also valid in an HTML field, where `-` is escaped. */
export const sizeNamePattern = String.raw`^[a-z][a-z0-9\-]{0,31}$`;

/** Properties that may differ in a size, of every layer: its box, its turn and whether it shows. */
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

/** Those that the types of layers have beside them: how letters, images and stacks fill their box. */
const typeProperties: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['fontSize', 'minSize', 'maxLines', 'lineHeight', 'align', 'verticalAlign']],
  ['image', ['fit', 'focusX', 'focusY']],
  ['stack', ['direction', 'gap', 'padding', 'align', 'justify', 'wrap']],
]);

/** Properties of a layer type that may differ in a size. */
export function sizeProperties(type: string): readonly string[] {
  return [...frameProperties, ...(typeProperties.get(type) ?? [])];
}

/** What differs in a size, by the names of properties. */
export type SizeOverrides = Readonly<Record<string, unknown>>;
