/** What the inspector edits: the document, or one or several layers at once. */
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { Editor } from '../state/editor.ts';
import { measuredBoxes } from '../canvas/layer-geometry.ts';
import type { BrandFollower } from '#language/brand.ts';
import { followEntry } from '../state/brand.ts';
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

/** Stands for the value of a property that differs between the layers. */
export const mixed = Symbol('mixed');

/** The objects that a field reads and writes. */
export interface Target {
  readonly editor: Editor;
  /** Ids of the layers; none: the document. */
  readonly ids: readonly string[];
  /** The value at a path, `mixed` where the layers differ. */
  read(path: Path): unknown;
  /** One step: writes the value to each; undefined removes the property. `makes`: with the object that holds it. */
  write(field: Field, path: Path, value: unknown, options?: WriteOptions): void;
  /** One step: the property has the value of an entry of the brand kit, and follows it. */
  follow(field: Field, path: Path, entry: string, value: string): void;
  /** One of the layers alone. */
  one(id: string): Target;
  /** The size that is shown, where a layer has a property of its own in it; undefined: none has. */
  overridingSize(path: Path): string | undefined;
  /** One step: the property is again that of the layers themselves. */
  reset(field: Field, path: Path): void;
  /** The service's problem of a path, to follow its name. */
  problem(path: Path): string | undefined;
}

/** How a value is written. */
export interface WriteOptions {
  /** Steps of the same gesture are undone as one. */
  gesture?: string | undefined;
  makes?: boolean;
}

/** A target of some layers, or, of none, the document. */
export function createTarget(editor: Editor, ids: readonly string[]): Target {
  const objects = (document: Template): object[] => {
    if (ids.length === 0) return [document];
    return ids.flatMap((id) => findLayer(document, id) ?? []);
  };
  return {
    editor,
    ids,
    read: (path) => {
      const [first, ...others] = objects(editor.document.value).map((object) =>
        valueAt(object, path),
      );
      const isSame = others.every((value) => JSON.stringify(value) === JSON.stringify(first));
      return isSame ? first : mixed;
    },
    write: (field, path, value, { gesture, makes = false } = {}) => {
      // In a size, absence is the value of the layer itself.
      const mayLeave = !field.isRequired && editor.size.value === undefined;
      const isStandard = mayLeave && value === field.standard && value !== undefined;
      editor.change(
        `Change ${field.label.toLowerCase()}`,
        (draft) => {
          const boxes = measuredBoxes(editor);
          if (ids.length === 0) setAt(draft, path, isStandard ? undefined : copyOf(value), makes);
          for (const position of positionsOf(draft, ids)) {
            const { layer } = position;
            const next = isStandard ? undefined : copyOf(value);
            keepPosition(layer, boxes.get(layer.id), () => setAt(layer, path, next, makes));
            settleIn(draft, position, boxes);
          }
        },
        gesture,
      );
    },
    follow: (field, path, entry, value) =>
      editor.change(`Change ${field.label.toLowerCase()}`, (draft) => {
        for (const object of objects(draft)) {
          setAt(object, path, value);
          // A size has properties of its own, and no links.
          if (editor.size.value === undefined) {
            followEntry(object as BrandFollower, path.join('.'), entry);
          }
        }
      }),
    one: (id) => createTarget(editor, [id]),
    overridingSize: ([name]) => {
      const size = editor.size.value;
      if (size === undefined || typeof name !== 'string') return undefined;
      const isSaved = ids.some((id) => isOverridden(editor.whole.value, id, size, name));
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
      return flattenLayers(editor.document.value)
        .filter(({ layer }) => ids.includes(layer.id))
        .map((position) => problemAt(refusal, `${position.path}.${pathText(path)}`))
        .find((problem) => problem !== undefined)?.message;
    },
  };
}

function positionsOf(document: Template, ids: readonly string[]): LayerPosition[] {
  return ids.flatMap((id) => findPosition(document, id) ?? []);
}

function copyOf(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

/** Properties that are what their layer is about: a variable for them is named like the layer. */
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
  // The id of an image says no more than its type.
  const base = layer.name ?? (layer.type === 'image' ? 'image' : layer.id);
  const isMain = path.length === 1 && mainProperties.has(property);
  return isMain && !(property === 'fill' && layer.type === 'text') ? base : `${base}_${property}`;
}

/** Makes a property static again, with its variable's default; a variable that nothing else uses goes, too. */
export function unbindProperty(target: Target, field: Field, path: Path): void {
  const { editor, ids } = target;
  const property = path.findLast((step) => typeof step === 'string') ?? field.name;
  editor.change(`Make ${field.label.toLowerCase()} fixed`, (draft) => {
    const scopes = itemScopes(draft);
    const objects: object[] =
      ids.length === 0 ? [draft] : positionsOf(draft, ids).map(({ layer }) => layer);
    for (const [index, object] of objects.entries()) {
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

/** What stands for an empty default; undefined where the property may be absent. */
function leastFor({ kind, standard, isRequired }: Field): unknown {
  if (!isRequired) return undefined;
  return standard ?? (kind.type === 'number' || kind.type === 'size' ? 0 : '');
}
