/** The sections of the inspector, in order of use. The schema assigns each property to a section. */
import type { EditorSection } from '#language/schema/notes.ts';
import type { Field } from './fields/schema-fields.ts';

/** A heading with the fields below it. */
export interface Section {
  title: string;
  fields: Field[];
  /** Whether the section is open until the user opens or closes it. */
  isOpen: boolean;
}

const headings: Readonly<Record<EditorSection, Omit<Section, 'fields'>>> = {
  position: { title: 'Position', isOpen: true },
  stack: { title: 'Stack', isOpen: true },
  text: { title: 'Text', isOpen: true },
  type: { title: 'Type', isOpen: true },
  image: { title: 'Image', isOpen: true },
  code: { title: 'Code', isOpen: true },
  drawing: { title: 'Drawing', isOpen: true },
  markup: { title: 'Markup', isOpen: false },
  shape: { title: 'Shape', isOpen: true },
  fill: { title: 'Fill', isOpen: true },
  stroke: { title: 'Stroke', isOpen: true },
  effects: { title: 'Effects', isOpen: true },
  clip: { title: 'Clip and mask', isOpen: false },
  visibility: { title: 'Visibility', isOpen: false },
  lettering: { title: 'Lettering details', isOpen: false },
  canvas: { title: 'Canvas', isOpen: true },
  clock: { title: 'Clock', isOpen: false },
  animation: { title: 'Animation', isOpen: false },
  output: { title: 'Output', isOpen: true },
  links: { title: 'Links', isOpen: true },
  language: { title: 'Language and fonts', isOpen: true },
};

/** For properties without a section. */
const rest: Omit<Section, 'fields'> = { title: 'More', isOpen: true };

/** Returns the sections of a layer type's fields, or of the fields that several types share, without `name`. */
export function layerSections(fields: readonly Field[]): Section[] {
  return inSections(fields.filter(({ name }) => name !== 'name'));
}

/** Sections of the document. */
export function documentSections(fields: readonly Field[]): Section[] {
  return inSections(fields);
}

function inSections(fields: readonly Field[]): Section[] {
  const known = Object.entries(headings);
  const sections = [...known, [undefined, rest] as const].map(([section, heading]) => ({
    ...heading,
    fields: fields.filter((field) => field.section === section),
  }));
  return sections.filter((section) => section.fields.length > 0);
}
