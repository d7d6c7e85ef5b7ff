/** Binds a template's values: returns concrete, visible layers, and lists the images that they use. */
import { imageAddresses } from '../layers.ts';
import { moveLayers } from '../animation/motion.ts';
import { isParent } from '../layer-tree.ts';
import type { Layer, ParentLayer, StackLayer } from '../schema/layers.ts';
import type { ColorFill } from '../schema/paint.ts';
import { spansOf } from '../limits/text-limit.ts';
import type { Template } from '../schema/template.ts';
import { conditionsHold } from './conditions.ts';
import { createBinder } from './binder.ts';
import type { Binder, RenderLocale } from './binder.ts';
import { bindBackground, bindLayer } from './layer.ts';
import { copiesFor } from './item-copies.ts';
import { itemBinders, itemsMax, repeatedList } from './list-items.ts';

/** Concrete layers in paint order, their background, and the problems that values caused. */
interface ResolvedLayers {
  /** Undefined for a transparent image. */
  background: ColorFill | undefined;
  layers: Layer[];
  /** Ids of layers with a property that a value made invalid (a width of -5). The property has its default. */
  invalid: string[];
  /** Whether a value made the background invalid. The background then has its default. */
  invalidBackground: boolean;
  /** Problems of value formats, each with the id of its layer. */
  unformatted: [layer: string, problem: string][];
}

/**
 * Binds values and drops invisible layers. A property that is one binding takes a value of its type; bindings inside a
 * text become text. Bindings inside values stay text. Pure: the template does not change, and a layer without bindings
 * is returned as the same object.
 */
export function resolveLayers(
  template: Template,
  values: ReadonlyMap<string, string>,
  locale: RenderLocale = {},
): ResolvedLayers {
  const binder = createBinder(template, values, locale);
  const found: Found = { invalid: [], unformatted: [], template };
  const bound = resolveList(template.layers, binder, found);
  const layers = moveLayers(bound, template, locale.motionMs);
  const { background, invalid: invalidBackground } = bindBackground(template.background, binder);
  const { invalid, unformatted } = found;
  return { background, layers, invalid, unformatted, invalidBackground };
}

/** Problems that are collected while the layers of a template are bound. */
interface Found extends Pick<ResolvedLayers, 'invalid' | 'unformatted'> {
  template: Template;
}

/** Groups and stacks without their children. `bindLayer` caches by object, so each parent has one shell. */
const shells = new WeakMap<Layer, Layer>();

function shellOf(group: ParentLayer): Layer {
  let shell = shells.get(group);
  if (shell === undefined) shells.set(group, (shell = { ...group, layers: [] }));
  return shell;
}

/** Whether a layer draws nothing because a value is empty. In a stack, such a layer takes neither space nor a gap. */
function isEmpty(layer: Layer): boolean {
  switch (layer.type) {
    case 'text':
      return spansOf(layer).every(({ text }) => text.trim() === '');
    case 'image':
      return layer.src.trim() === '';
    case 'qr':
    case 'barcode':
      return layer.value.trim() === '';
    case 'group':
    case 'stack':
      return layer.layers.every(isEmpty);
    default:
      return false;
  }
}

function resolveList(layers: readonly Layer[], binder: Binder, found: Found): Layer[] {
  const resolved: Layer[] = [];
  for (const layer of layers) {
    if (!conditionsHold(layer.visibleWhen, binder)) continue;
    // The children of a parent are bound one by one.
    const shell = isParent(layer) ? shellOf(layer) : layer;
    const bound = bindLayer(shell, binder);
    if (bound.invalid) found.invalid.push(layer.id);
    for (const problem of bound.problems) found.unformatted.push([layer.id, problem]);
    if (bound.layer === undefined || bound.layer.visible === false) continue;
    resolved.push(
      isParent(bound.layer) && isParent(layer)
        ? withChildren(layer, bound.layer, resolveChildren(layer, binder, found))
        : bound.layer,
    );
  }
  return resolved;
}

/** The last result for each group or stack. */
const lastResolved = new WeakMap<Layer, { shell: Layer; resolved: ParentLayer }>();

/** The bound shell with its bound children. Returns the last object if the shell and the children are the same. */
function withChildren(template: Layer, shell: ParentLayer, children: Layer[]): ParentLayer {
  const last = lastResolved.get(template);
  if (
    last?.shell === shell &&
    last.resolved.layers.length === children.length &&
    last.resolved.layers.every((child, index) => child === children[index])
  ) {
    return last.resolved;
  }
  const resolved = { ...shell, layers: children };
  lastResolved.set(template, { shell, resolved });
  return resolved;
}

function resolveChildren(parent: ParentLayer, binder: Binder, found: Found): Layer[] {
  if (parent.type === 'group') return resolveList(parent.layers, binder, found);
  const children =
    parent.repeat === undefined
      ? resolveList(parent.layers, binder, found)
      : resolveItems(parent, parent.repeat, binder, found);
  return children.filter((child) => !isEmpty(child));
}

/** The layers of a stack once for each item of its list, then the `more` layer if the list has more items. */
function resolveItems(
  parent: StackLayer,
  repeat: NonNullable<StackLayer['repeat']>,
  binder: Binder,
  found: Found,
): Layer[] {
  const list = repeatedList(repeat, found.template.variables);
  if (list === undefined) return [];
  const binders = itemBinders(list, binder, itemsMax(repeat));
  const last = parent.layers.find(({ id }) => id === repeat.more);
  // The part of a template that decides its images may have a stack with its last layer alone.
  const items = parent.layers.some((layer) => layer !== last) ? binders.items : [];
  const copies = copiesFor(parent, items.length);
  const drawn = items.flatMap((item, index) => resolveList(copies[index] ?? [], item, found));
  const { rest } = binders;
  if (rest === undefined || last === undefined) return drawn;
  return [...drawn, ...resolveList([last], rest, found)];
}

// Lists the images of concrete layers: the service fetches them.

/**
 * Image sources of layers and fills, including those inside groups, without duplicates, in document order. Empty
 * sources (an image variable with an empty value) are left out.
 */
export function imageSources(layers: readonly Layer[]): string[] {
  const sources = new Set<string>();
  for (const layer of layers) collect(layer, sources);
  sources.delete('');
  return [...sources];
}

function collect(layer: Layer, sources: Set<string>): void {
  for (const [, address] of imageAddresses(layer)) sources.add(address.trim());
  if (isParent(layer)) for (const child of layer.layers) collect(child, sources);
}
