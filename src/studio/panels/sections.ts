/** Puts the fields of a layer or a document into the inspector's sections. */
import type { Field } from './fields/schema-fields.ts';

/** A heading and what stands below it. */
export interface Section {
  title: string;
  fields: Field[];
  /** Whether it is open before anybody has opened or closed it. */
  isOpen: boolean;
}

interface Heading {
  title: string;
  names: readonly string[];
  isOpen: boolean;
}

/** In the order of what designers reach for. A property that stands nowhere comes last, under More. */
const layerHeadings: readonly Heading[] = [
  { title: 'Position', names: ['x', 'y', 'width', 'height', 'rotation', 'rising'], isOpen: true },
  {
    title: 'Text',
    names: ['text', 'spans', 'overflow', 'minSize', 'maxLines'],
    isOpen: true,
  },
  {
    title: 'Type',
    names: [
      'fontFamily',
      'fontSize',
      'fontWeight',
      'fontStyle',
      'align',
      'verticalAlign',
      'lineHeight',
      'letterSpacing',
      'wordSpacing',
      'transform',
      'underline',
      'strike',
      'balance',
    ],
    isOpen: true,
  },
  {
    title: 'Picture',
    names: ['src', 'fit', 'focusX', 'focusY', 'smartCrop', 'flipX', 'flipY', 'tint', 'duotone'],
    isOpen: true,
  },
  {
    title: 'Code',
    names: ['kind', 'value', 'color', 'background', 'errorCorrection', 'quietZone'],
    isOpen: true,
  },
  { title: 'Drawing', names: ['svg', 'colors', 'path', 'viewBox'], isOpen: true },
  { title: 'Shape', names: ['sides', 'points', 'innerRadius', 'cornerRadius'], isOpen: true },
  { title: 'Fill', names: ['fill'], isOpen: true },
  { title: 'Stroke', names: ['stroke', 'startArrow', 'endArrow', 'border'], isOpen: true },
  {
    title: 'Effects',
    names: ['opacity', 'blendMode', 'shadow', 'blur', 'filter'],
    isOpen: true,
  },
  { title: 'Clip and mask', names: ['clip', 'mask'], isOpen: false },
  { title: 'Visibility', names: ['visible', 'visibleWhen'], isOpen: false },
  {
    title: 'Lettering details',
    names: ['linePill', 'direction', 'fontFeatures', 'fontVariations'],
    isOpen: false,
  },
];

/** Where a text's own ground, path and fill are looked for. */
const textHeadings: Readonly<Record<string, string>> = {
  background: 'Lettering details',
  path: 'Lettering details',
};

const documentHeadings: readonly Heading[] = [
  { title: 'Canvas', names: ['name', 'width', 'height', 'background'], isOpen: true },
  { title: 'Output', names: ['output'], isOpen: true },
  {
    title: 'Links',
    names: ['linkAuth', 'linkOptions', 'onError', 'onImageError', 'maxAgeSeconds'],
    isOpen: true,
  },
  { title: 'Language and fonts', names: ['lang', 'fonts'], isOpen: true },
];

/** Sections of layers of one type, or of what several types have in common; `name` stands above them all. */
export function layerSections(fields: readonly Field[], isText: boolean): Section[] {
  const own = fields.filter(({ name }) => name !== 'name');
  return inSections(own, layerHeadings, isText ? textHeadings : {});
}

/** Sections of the document. */
export function documentSections(fields: readonly Field[]): Section[] {
  return inSections(fields, documentHeadings, {});
}

function inSections(
  fields: readonly Field[],
  headings: readonly Heading[],
  moved: Readonly<Record<string, string>>,
): Section[] {
  const titleOf = (name: string): string =>
    moved[name] ?? headings.find(({ names }) => names.includes(name))?.title ?? 'More';
  return [...headings, { title: 'More', names: [], isOpen: true }].flatMap((heading) => {
    const { title, names, isOpen } = heading;
    const inside = fields
      .filter(({ name }) => titleOf(name) === title)
      .toSorted((one, other) => rank(names, one.name) - rank(names, other.name));
    return inside.length === 0 ? [] : [{ title, fields: inside, isOpen }];
  });
}

function rank(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  return index < 0 ? names.length : index;
}
