/** Binds a template's values: concrete, visible layers out, and the images that they show. */
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

/** Concrete layers in paint order on their background, and what values made invalid. */
interface ResolvedLayers {
  /** Undefined for a transparent image. */
  background: ColorFill | undefined;
  layers: Layer[];
  /** Ids of layers with a property that a value made invalid (a width of -5): its default stands in. */
  invalid: string[];
  /** A value made the background invalid: its default stands in. */
  invalidBackground: boolean;
  /** What formats did not take, by the id of the layer. */
  unformatted: [layer: string, problem: string][];
}

/**
 * Puts values into every `{{name}}`, as text inside texts and as numbers, colours or booleans where
 * a property is one binding, and drops what is not visible. A value is never interpreted again.
 * Pure: the template is not changed, and a layer that binds nothing is passed on as the same object.
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

/** What is found on the way through the layers of a template. */
interface Found extends Pick<ResolvedLayers, 'invalid' | 'unformatted'> {
  template: Template;
}

/** A group or stack without its children: the same object each time, as `bindLayer` needs it. */
const shells = new WeakMap<Layer, Layer>();

function shellOf(group: ParentLayer): Layer {
  let shell = shells.get(group);
  if (shell === undefined) shells.set(group, (shell = { ...group, layers: [] }));
  return shell;
}

/** Whether a layer draws nothing for want of a value: in a stack it takes neither space nor a gap. */
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
    // A group's children are bound one by one.
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

/** What a group or stack was resolved to last. */
const lastResolved = new WeakMap<Layer, { shell: Layer; resolved: ParentLayer }>();

/** The bound shell with its bound children: the same object while all of these are the same. */
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

/** The layers of a stack once for each item of its list, and the layer that follows if the list has more. */
function resolveItems(
  parent: StackLayer,
  repeat: NonNullable<StackLayer['repeat']>,
  binder: Binder,
  found: Found,
): Layer[] {
  const list = repeatedList(repeat, found.template.variables);
  if (list === undefined) return [];
  const { items, rest } = itemBinders(list, binder, itemsMax(repeat));
  const copies = copiesFor(parent, items.length);
  const drawn = items.flatMap((item, index) => resolveList(copies[index] ?? [], item, found));
  const last = parent.layers.find(({ id }) => id === repeat.more);
  if (rest === undefined || last === undefined) return drawn;
  return [...drawn, ...resolveList([last], rest, found)];
}

// Lists the images that concrete layers draw: the service fetches them.

/**
 * Image sources of layers and fills, groups' too, each once, in document order. Sources that are
 * empty (an image variable that is empty by choice) are left out: they draw nothing.
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
