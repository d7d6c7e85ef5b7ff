/** The target of the inspector: the document, or one or several layers at once. */
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { Editor } from '../state/editor.ts';
import { behindFrame } from './behind-frame.ts';
import { measuredBoxes } from '../canvas/layer-geometry.ts';
import type { BrandFollower } from '#language/brand.ts';
import { followEntry, moveLinks } from '../state/brand.ts';
import { changeCanvas } from '../state/canvas-size.ts';
import { fixedValues, fixValue } from '../state/fixed-values.ts';
import { keepPosition } from '../state/layer-sizes.ts';
import { findLayer, findPosition, flattenLayers, settleIn } from '../state/layers.ts';
import type { LayerPosition } from '../state/layers.ts';
import { isOverridden, resetInSize } from '../state/sizes.ts';
import { itemScopes } from '../state/list-items.ts';
import { pathText, problemAt, setAt, valueAt } from './fields/values.ts';
import type { Path } from './fields/values.ts';
import type { Field } from './fields/schema-fields.ts';
import {
  addVariable,
  splitBinding,
  usesOf,
  variableTypeOf,
  wholeBinding,
} from './variables/variables.ts';
import { defaultOf } from './variables/variable-default.ts';

/** The value of a property that differs between the layers. */
export const mixed = Symbol('mixed');

/** The objects that a field reads and writes. */
export interface Target {
  readonly editor: Editor;
  /** Ids of the layers; empty for the document. */
  readonly ids: readonly string[];
  /** Returns the value at a path; `mixed` if the layers differ. */
  read(path: Path): unknown;
  /** Writes the value to each object in one undo step; undefined removes the property. */
  write(field: Field, path: Path, value: unknown, options?: WriteOptions): void;
  /** Sets the property to the value of a brand kit entry, which the property then follows, in one undo step. */
  follow(field: Field, path: Path, entry: string, value: string): void;
  /** Returns a target of one layer. */
  one(id: string): Target;
  /** Returns the current size if a layer overrides the property in it; otherwise undefined. */
  overridingSize(path: Path): string | undefined;
  /** Removes the property's overrides in the current size, in one undo step. */
  reset(field: Field, path: Path): void;
  /** Returns the service's message about a path, to be shown after the property's name. */
  problem(path: Path): string | undefined;
}

export interface WriteOptions {
  /** Writes of the same gesture are one undo step. */
  gesture?: string | undefined;
  /** Whether to create the object that contains the value if it is missing. */
  makes?: boolean;
}

/** Creates a target of layers, or of the document if `ids` is empty. */
export function createTarget(editor: Editor, ids: readonly string[]): Target {
  const objects = (document: Template): object[] => objectsOf(document, ids);
  const { document: shown, whole } = behindFrame(editor);
  return {
    editor,
    ids,
    read: (path) => {
      const [first, ...others] = objects(shown.value).map((object) => valueAt(object, path));
      const isSame = others.every((value) => JSON.stringify(value) === JSON.stringify(first));
      return isSame ? first : mixed;
    },
    write: (field, path, value, options = {}) => write(editor, ids, field, path, value, options),
    follow: (field, path, entry, value) =>
      editor.change(`Change ${field.label.toLowerCase()}`, (draft) => {
        for (const object of objects(draft)) {
          setAt(object, path, value);
          // The overrides of a size hold values only, no links to the brand kit.
          if (editor.size.value === undefined) {
            followEntry(object as BrandFollower, path.join('.'), entry);
          }
        }
      }),
    one: (id) => createTarget(editor, [id]),
    overridingSize: ([name]) => {
      const size = editor.size.value;
      if (size === undefined || typeof name !== 'string') return undefined;
      const isSaved = ids.some((id) => isOverridden(whole.value, id, size, name));
      return isSaved ? size : undefined;
    },
    reset: (field, [name]) => {
      const size = editor.size.value;
      if (size === undefined || typeof name !== 'string') return;
      editor.changeWhole(`Reset ${field.label.toLowerCase()}`, (draft) => {
        for (const id of ids) resetInSize(draft, id, size, name);
      });
    },
    problem: (path) => {
      const refusal = editor.frameError.value ?? editor.refusal.value;
      if (refusal === undefined) return undefined;
      if (ids.length === 0) return problemAt(refusal, pathText(path))?.message;
      return flattenLayers(shown.value)
        .filter(({ layer }) => ids.includes(layer.id))
        .map((position) => problemAt(refusal, `${position.path}.${pathText(path)}`))
        .find((problem) => problem !== undefined)?.message;
    },
  };
}

/** Writes a value to each object, or to the document, in one undo step. */
function write(
  editor: Editor,
  ids: readonly string[],
  field: Field,
  path: Path,
  value: unknown,
  { gesture, makes = false }: WriteOptions,
): void {
  // In a size, an absent property means the layer's base value, not the default.
  const mayLeave = !field.isRequired && editor.size.value === undefined;
  const isStandard = mayLeave && value === field.standard && value !== undefined;
  const next = isStandard ? undefined : value;
  const label = `Change ${field.label.toLowerCase()}`;
  if (ids.length === 0) {
    const recipe = (draft: Template): void => {
      moveLinksOf(editor, draft, ids, path, value);
      setAt(draft, path, copyOf(next), makes);
    };
    changeCanvas(editor, label, recipe, gesture);
    return;
  }
  editor.change(
    label,
    (draft) => {
      const boxes = measuredBoxes(editor);
      moveLinksOf(editor, draft, ids, path, value);
      for (const position of positionsOf(draft, ids)) {
        const { layer } = position;
        keepPosition(layer, boxes.get(layer.id), () => setAt(layer, path, copyOf(next), makes));
        settleIn(draft, position, boxes);
      }
    },
    gesture,
  );
}

/** Returns the layers with these ids; the document if `ids` is empty. */
export function objectsOf(document: Template, ids: readonly string[]): object[] {
  if (ids.length === 0) return [document];
  return ids.flatMap((id) => findLayer(document, id) ?? []);
}

/** Moves the links of the objects with the parts of a new value at a path. */
function moveLinksOf(
  { document }: Editor,
  draft: Template,
  ids: readonly string[],
  path: Path,
  value: unknown,
): void {
  const before = valueAt(objectsOf(document.value, ids)[0], path);
  for (const object of objectsOf(draft, ids)) {
    moveLinks(object as BrandFollower, path.join('.'), before, value);
  }
}

function positionsOf(document: Template, ids: readonly string[]): LayerPosition[] {
  return ids.flatMap((id) => findPosition(document, id) ?? []);
}

function copyOf(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

/** Main properties of layers. A variable for one of them is named like the layer. */
const mainProperties = new Set(['text', 'src', 'value', 'fill']);

/** Makes a property dynamic: a new variable with its value as default, in one step. Returns the variable's name. */
export function bindProperty(target: Target, field: Field, path: Path): string {
  const { editor, ids } = target;
  const type = variableTypeOf(field.kind);
  const shown = target.read(path);
  const current = shown === mixed ? firstValue(target, path) : shown;
  const layer = findLayer(editor.document.value, ids[0] ?? '');
  const isFound = field.kind.type === 'size' && typeof current === 'string';
  const size = measuredBoxes(editor).get(ids[0] ?? '')?.[
    field.name === 'width' ? 'width' : 'height'
  ];
  const value = defaultOf(type, isFound ? size : (current ?? field.standard));
  let name = '';
  editor.change(`Make ${field.label.toLowerCase()} dynamic`, (draft) => {
    name = addVariable(draft, preferredNameFor(layer, field, path), type, value);
    if (ids.length === 0) setAt(draft, path, `{{${name}}}`, true);
    const boxes = measuredBoxes(editor);
    for (const position of positionsOf(draft, ids)) {
      const { layer: bound } = position;
      keepPosition(bound, boxes.get(bound.id), () => setAt(bound, path, `{{${name}}}`, true));
      settleIn(draft, position, boxes);
    }
  });
  return name;
}

function firstValue({ editor, ids }: Target, path: Path): unknown {
  return valueAt(findLayer(editor.document.value, ids[0] ?? ''), path);
}

function preferredNameFor(layer: Layer | undefined, field: Field, path: Path): string {
  const names = path.filter((step) => typeof step === 'string');
  const property = names.length === 0 ? field.name : names.join('_');
  if (layer === undefined) return property;
  // The id of an image layer is no better name than its type.
  const base = layer.name ?? (layer.type === 'image' ? 'image' : layer.id);
  const isMain = path.length === 1 && mainProperties.has(property);
  return isMain && !(property === 'fill' && layer.type === 'text') ? base : `${base}_${property}`;
}

/** Replaces a binding by its variable's default. Removes the variable if nothing else uses it. */
export function unbindProperty(target: Target, field: Field, path: Path): void {
  const { editor, ids } = target;
  const property = path.findLast((step) => typeof step === 'string') ?? field.name;
  editor.change(`Make ${field.label.toLowerCase()} fixed`, (draft) => {
    const scopes = itemScopes(draft);
    for (const [index, object] of objectsOf(draft, ids).entries()) {
      const items = scopes.get(ids[index] ?? '')?.variables ?? [];
      const name = splitBinding(wholeBinding(valueAt(object, path)) ?? '').name;
      const variable = [...draft.variables, ...items].find((each) => each.name === name);
      const fixed = fixedValues(draft, variable === undefined ? [] : [variable]);
      setAt(object, path, fixValue(valueAt(object, path), property, fixed) ?? leastFor(field));
    }
    draft.variables = draft.variables.filter(
      ({ name }) =>
        usesOf(draft, name).length > 0 || usesOf(editor.document.value, name).length === 0,
    );
  });
}

/** Returns the value for an empty default; undefined if the property may be absent. */
function leastFor({ kind, standard, isRequired }: Field): unknown {
  if (!isRequired) return undefined;
  return standard ?? (kind.type === 'number' || kind.type === 'size' ? 0 : '');
}
