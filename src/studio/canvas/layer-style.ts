/** Copies the look of a layer and applies it to other layers. */
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { EditorSection } from '#language/schema/notes.ts';
import { layerFields } from '../panels/fields/schema-fields.ts';
import type { Field } from '../panels/fields/schema-fields.ts';
import { templateSchema } from '../panels/template-schema.ts';
import type { Editor } from '../state/editor.ts';
import { findLayer } from '../state/layers.ts';
import { labelFor } from './commands.ts';

/** Sections of the schema whose properties are the look of a layer. */
const lookSections: ReadonlySet<EditorSection | undefined> = new Set<EditorSection>([
  'type',
  'lettering',
  'fill',
  'stroke',
  'effects',
]);

/** Properties of other sections that are part of the look, too. */
const lookNames: ReadonlySet<string> = new Set(['cornerRadius']);

type Look = Readonly<Record<string, unknown>>;

/** The look copied in this tab: all look properties of the layer type. Unset properties are undefined. */
let copied: Look | undefined;

export function hasCopiedStyle(): boolean {
  return copied !== undefined;
}

export function copyStyle({ document, selection }: Editor): void {
  const layer = findLayer(document.value, selection.value.at(-1) ?? '');
  if (layer === undefined) return;
  const values: Look = { ...layer };
  copied = Object.fromEntries(lookOf(layer.type).map(({ name }) => [name, values[name]]));
}

/** Applies the copied look to the selected layers, as far as their types have the properties. */
export function pasteStyle(editor: Editor): void {
  const look = copied;
  const ids = editor.selection.value.filter((id) => !editor.locked.value.has(id));
  if (look === undefined || ids.length === 0) return;
  editor.change(labelFor('Style', ids), (draft) => {
    for (const id of ids) {
      const layer = findLayer(draft, id);
      if (layer !== undefined) applyLook(draft, layer, look);
    }
  });
}

function applyLook(draft: Template, layer: Layer, look: Look): void {
  const written = layer as unknown as Record<string, unknown>;
  for (const field of lookOf(layer.type)) {
    if (!(field.name in look)) continue;
    const value = look[field.name];
    if (value === undefined && !field.isRequired) delete written[field.name];
    if (value !== undefined && takes(draft, field, value)) {
      written[field.name] = structuredClone(value);
    }
  }
}

/** Whether a property of a layer can take a value that was copied from a layer of another type. */
function takes({ variables }: Template, { kind }: Field, value: unknown): boolean {
  const text = JSON.stringify(value);
  const bound = [...text.matchAll(/\{\{\s*([a-zA-Z_]\w*)/g)].map(([, name]) => name);
  if (bound.some((name) => !variables.some((variable) => variable.name === name))) return false;
  // A text cannot have an image as its fill.
  const isImage = typeof value === 'object' && value !== null && 'src' in value;
  return !isImage || kind.type !== 'fill' || kind.hasImage;
}

function lookOf(type: Layer['type']): Field[] {
  const schema = templateSchema().value;
  const fields = schema === undefined ? [] : layerFields(schema, type);
  return fields.filter(({ section, name }) => lookSections.has(section) || lookNames.has(name));
}
