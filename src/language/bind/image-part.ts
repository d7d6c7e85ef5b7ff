/** The part of a template that decides which images a render fetches. */
import { clockUseOf, shareClockUse } from '../clock/clock-use.ts';
import { isParent, walkLayers } from '../layer-tree.ts';
import { imageAddresses, layerTypes } from '../layers.ts';
import type { Layer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';
import { compileBinding, variableOf } from '../values/formatted-binding.ts';
import { boundTextsIn, isBound } from './bindings.ts';
import { clockWords, questionsIn } from './conditions.ts';
import { imageSources } from './layers.ts';
import { conditionsOfSpans } from './spans.ts';

/** The layers of a template that name images, as documents. */
export interface ImagePart {
  document: Template;
  /** With only the layers of the canvas whose images may differ from frame to frame. */
  changing: Template;
  /** Variables that frames set and these layers may read. */
  frameNames: readonly string[];
  /** Whether these layers read the clock. */
  isTimed: boolean;
}

const imageParts = new WeakMap<Template, ImagePart>();

/** The image part of a template, cached for each document. Binding all layers of a banner takes 10 µs. */
export function imagePartOf(whole: Template): ImagePart {
  let part = imageParts.get(whole);
  if (part === undefined) imageParts.set(whole, (part = findPart(whole)));
  return part;
}

function findPart(whole: Template): ImagePart {
  const { animation, background: _background, alt: _alt, ...rest } = whole;
  const layers = imageLayers(whole.layers, animation !== undefined);
  const { names: live, read: readByClock } = clockUseOf(whole);
  const known = new Set([...whole.variables.map(({ name }) => name), ...live]);
  const reads = layers.map((layer) => readsOf(layer, known));
  const set = animation?.type === 'values' ? animation.frames : [];
  const names = new Set(set.flatMap((frame) => Object.keys(frame.values)));
  const frameNames = [...names].filter(
    (name) => readByClock.has(name) || reads.some((each) => each.names.has(name)),
  );
  const isTimed = reads.map(
    (each) => each.isTimed || [...live].some((name) => each.names.has(name)),
  );
  const document: Template = { ...rest, layers };
  const changing: Template = {
    ...rest,
    layers: layers.filter(
      (_, index) =>
        isTimed[index] === true || frameNames.some((name) => reads[index]?.names.has(name)),
    ),
  };
  shareClockUse(whole, document);
  shareClockUse(whole, changing);
  return { document, changing, frameNames, isTimed: isTimed.includes(true) };
}

/** The values that a layer reads with its children, and whether a format or a condition of it reads the time. */
interface LayerReads {
  names: ReadonlySet<string>;
  isTimed: boolean;
}

function readsOf(layer: Layer, known: ReadonlySet<string>): LayerReads {
  const names = new Set<string>();
  let isTimed = false;
  for (const [, each] of walkLayers([layer])) {
    for (const source of boundTextsIn(each).flatMap(({ sources }) => sources)) {
      names.add(variableOf(source, known));
      isTimed ||= !known.has(source) && compileBinding(source).clock !== undefined;
    }
    if (each.type === 'stack' && each.repeat !== undefined) names.add(each.repeat.list);
    for (const asked of [each.visibleWhen, ...conditionsOfSpans(each)]) {
      for (const [, { variable, greaterThan, lessThan }] of questionsIn(asked)) {
        names.add(variable);
        isTimed ||= [greaterThan, lessThan].some((bound) => clockWords.has(String(bound)));
      }
    }
  }
  return { names, isTimed };
}

/**
 * The layers that name an image, bound or not. Values decide which image a layer has and whether it can be drawn. For a
 * template with frames (`moves`), bound geometry is left out.
 */
function imageLayers(layers: readonly Layer[], moves: boolean): Layer[] {
  return layers
    .filter((layer) => imageSources([layer]).length > 0)
    .map((layer) => {
      const still = moves ? withoutGeometry(layer) : layer;
      return isParent(still) ? { ...still, layers: imageLayers(still.layers, moves) } : still;
    });
}

/** Properties that decide whether a layer is drawn, besides the address of its image. */
const decidingNames: ReadonlySet<string> = new Set([
  'id',
  'type',
  'visible',
  'visibleWhen',
  'layers',
  'repeat',
  'text',
  'spans',
  'value',
  'alternatives',
]);

const boxNames: ReadonlySet<string> = new Set(['x', 'y', 'width', 'height']);

/** The layer without bindings of position and appearance, whose values may differ in each frame. */
function withoutGeometry(layer: Layer): Layer {
  const { required = [] } = layerTypes[layer.type].schema as { required?: readonly string[] };
  const addresses = new Set(imageAddresses(layer).map(([[name]]) => name));
  const entries = Object.entries(layer).flatMap(([name, value]: [string, unknown]) => {
    const isKept = decidingNames.has(name) || addresses.has(name) || !isBound(value);
    if (isKept || (required.includes(name) && !boxNames.has(name))) return [[name, value]];
    return boxNames.has(name) ? [[name, 1]] : [];
  });
  return Object.fromEntries(entries) as Layer;
}
