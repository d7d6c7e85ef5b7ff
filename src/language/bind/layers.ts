/** Binds a template's values: concrete, visible layers out, and the images that they show. */
import { imageAddresses } from '../layers.ts';
import { isParent } from '../schema/layers.ts';
import type { Layer, ParentLayer } from '../schema/layers.ts';
import type { ColorFill } from '../schema/paint.ts';
import { spansOf } from '../limits/text-limit.ts';
import type { Template } from '../schema/template.ts';
import { conditionsHold } from './conditions.ts';
import { createBinder } from './binder.ts';
import type { Binder, RenderLocale } from './binder.ts';
import { bindBackground, bindLayer } from './layer.ts';

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
  const found: Pick<ResolvedLayers, 'invalid' | 'unformatted'> = { invalid: [], unformatted: [] };
  const layers = resolveList(template.layers, binder, found);
  const { background, invalid: invalidBackground } = bindBackground(template.background, binder);
  return { background, layers, ...found, invalidBackground };
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
      return layer.layers.length === 0;
    default:
      return false;
  }
}

function resolveList(
  layers: readonly Layer[],
  binder: Binder,
  found: Pick<ResolvedLayers, 'invalid' | 'unformatted'>,
): Layer[] {
  const resolved: Layer[] = [];
  for (const layer of layers) {
    if (!conditionsHold(layer.visibleWhen, binder)) continue;
    // A group's children are bound one by one.
    const own = isParent(layer) ? shellOf(layer) : layer;
    const bound = bindLayer(own, binder);
    if (bound.invalid) found.invalid.push(layer.id);
    for (const problem of bound.problems) found.unformatted.push([layer.id, problem]);
    if (bound.layer === undefined || bound.layer.visible === false) continue;
    resolved.push(
      isParent(bound.layer) && isParent(layer)
        ? { ...bound.layer, layers: resolveChildren(layer, binder, found) }
        : bound.layer,
    );
  }
  return resolved;
}

function resolveChildren(
  parent: ParentLayer,
  binder: Binder,
  found: Pick<ResolvedLayers, 'invalid' | 'unformatted'>,
): Layer[] {
  const children = resolveList(parent.layers, binder, found);
  return parent.type === 'stack' ? children.filter((child) => !isEmpty(child)) : children;
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
