/** The brand kit of an organization: colours, text styles, logos and fonts that templates follow. */
import { isParent } from './layer-tree.ts';
import type { BrandLink } from './schema/brand.ts';
import type { Layer } from './schema/layers.ts';
import type { Template } from './schema/template.ts';

/** An entry keeps its id when people rename it. */
interface BrandEntry {
  id: string;
  name: string;
}

/** The typography of a text, without its colour. */
export interface BrandTextStyle extends BrandEntry {
  fontFamily?: string;
  fontSize?: number;
  fontWeight?: number;
  fontStyle?: 'normal' | 'italic';
  lineHeight?: number;
  letterSpacing?: number;
}

/** All entries of a kit have different ids. */
export interface Brand {
  colors: (BrandEntry & { value: string })[];
  textStyles: BrandTextStyle[];
  logos: (BrandEntry & { src: string })[];
  fonts: (BrandEntry & { family: string })[];
}

export const emptyBrand: Brand = { colors: [], textStyles: [], logos: [], fonts: [] };

/** The `property` of a brand link that covers all properties of a text style. */
export const textStyleLink = 'textStyle';

/** The properties of a text style, in the order of the inspector. */
export const textStyleProperties = [
  'fontFamily',
  'fontSize',
  'fontWeight',
  'fontStyle',
  'lineHeight',
  'letterSpacing',
] as const;

/** An object of a document that may follow the kit: a layer, or the document for its background. */
export type BrandFollower = Template | Layer;

/**
 * The document with the values of the kit in all linked properties; the same object if nothing changes. Links to
 * missing entries, and links on properties that now bind a variable, change nothing.
 */
export function followBrand(document: Template, brand: Brand): Template {
  const copy = structuredClone(document);
  let isChanged = follow(copy, brand);
  const visit = (layers: readonly Layer[]): void => {
    for (const layer of layers) {
      if (follow(layer, brand)) isChanged = true;
      if (isParent(layer)) visit(layer.layers);
    }
  };
  visit(copy.layers);
  return isChanged ? copy : document;
}

function follow(object: BrandFollower, brand: Brand): boolean {
  let isChanged = false;
  for (const link of object.brand ?? []) {
    for (const { path, value } of brandValues(object, link, brand)) {
      if (valueAt(object, path) === value) continue;
      setAt(object, path, value);
      isChanged = true;
    }
  }
  return isChanged;
}

/** A property of an object and its value in the kit. */
export interface BrandValue {
  path: string;
  value: string | number;
}

/** The kit's values for a link. Empty if the kit has no such entry, or the property holds another kind of value. */
export function brandValues(
  object: BrandFollower,
  { property, entry }: BrandLink,
  { colors, textStyles, logos, fonts }: Brand,
): BrandValue[] {
  const isIt = ({ id }: BrandEntry): boolean => id === entry;
  if (property === textStyleLink) {
    const style = textStyles.find(isIt);
    if (style === undefined || !('type' in object) || object.type !== 'text') return [];
    return textStyleProperties.flatMap((path): BrandValue[] => {
      const value = style[path];
      return value === undefined ? [] : [{ path, value }];
    });
  }
  const old = valueAt(object, property);
  if (typeof old !== 'string' || old.includes('{{')) return [];
  const value = old.startsWith('#')
    ? colors.find(isIt)?.value
    : (logos.find(isIt)?.src ?? fonts.find(isIt)?.family);
  return value === undefined ? [] : [{ path: property, value }];
}

/** The value of a property by its path; undefined if it does not exist. */
export function valueAt(object: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((holder, name) => {
    if (typeof holder !== 'object' || holder === null) return undefined;
    return Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined;
  }, object);
}

/** Sets a property by its path. Does nothing if the object that holds the property does not exist. */
function setAt(object: object, path: string, value: string | number): void {
  const end = path.lastIndexOf('.');
  const holder = end === -1 ? object : valueAt(object, path.slice(0, end));
  if (typeof holder === 'object' && holder !== null)
    Reflect.set(holder, path.slice(end + 1), value);
}
