/** Counts the work that each frame of an animated file repeats, and the frames that a link may have by it. */
import { animationOf, designedFrames } from '../animation/frames.ts';
import { boundTextsIn } from '../bind/bindings.ts';
import { questionsIn } from '../bind/conditions.ts';
import { imagePartOf } from '../bind/image-part.ts';
import { itemsMax, timesDrawn } from '../bind/list-items.ts';
import { walkLayers } from '../layer-tree.ts';
import type { Template } from '../schema/template.ts';
import { itemPrefix } from '../values/list-value.ts';
import type { PathedLayers } from './format-cost.ts';
import { templateLimits } from './template-limits.ts';
import { spansOf } from './text-limit.ts';

/** Number of characters that a binding counts as. */
export const boundCharacters = 400;

/** The work of one frame, in characters of JSON, once for each item of a list. */
interface FrameWork {
  /** Conditions of all layers. */
  conditions: number;
  /** The layers of the canvas whose images may differ from frame to frame, with what they bind. */
  images: number;
}

/** The work of a frame of a template whose layers are `layers`. */
export function frameWork(template: Template, layers: PathedLayers): FrameWork {
  return { conditions: conditionCharacters(layers), images: imageCharacters(template) };
}

const framesMaxima = new WeakMap<Template, number>();

/** Maximum number of frames that a link may ask for: the designed number, or more if the work of all fits. */
export function linkFramesMax(template: Template): number {
  let most = framesMaxima.get(template);
  if (most === undefined) framesMaxima.set(template, (most = findFramesMax(template)));
  return most;
}

function findFramesMax(template: Template): number {
  const animation = animationOf(template);
  if (animation === undefined) return 1;
  const { conditions, images } = frameWork(template, pathedLayers(template));
  const { frameConditionsMax, frameImagesMax, framesMax } = templateLimits;
  const fitting = Math.min(framesMax, frameConditionsMax / conditions, frameImagesMax / images);
  return Math.max(designedFrames(animation), Math.floor(fitting));
}

/** The layers of a template with the number of times each is drawn. */
export function pathedLayers({ layers }: Pick<Template, 'layers'>): PathedLayers {
  return [...walkLayers(layers)].map(([path, layer, , repeating]) => [
    path,
    layer,
    timesDrawn(layer, repeating),
  ]);
}

/** What a layer, and an item of a list, count as besides their bindings and conditions. */
const layerCharacters = 100;
const itemCharacters = 200;
/** The same for a binding of an item: its values are short, because all of a list share one limit. */
const boundItemCharacters = 100;

function imageCharacters(template: Template): number {
  const layers = pathedLayers(imagePartOf(template).changing);
  let characters = conditionCharacters(layers);
  for (const [, layer, times] of layers) {
    let its = layerCharacters;
    for (const { path, sources } of boundTextsIn(layer)) {
      if (path.startsWith('.visibleWhen')) continue;
      for (const source of sources) {
        its += source.startsWith(itemPrefix) ? boundItemCharacters : boundCharacters;
      }
    }
    characters += its * times;
    if (layer.type === 'stack' && layer.repeat !== undefined) {
      characters += itemCharacters * itemsMax(layer.repeat);
    }
  }
  return characters;
}

/** Characters of JSON of all conditions, once for each item. */
function conditionCharacters(layers: PathedLayers): number {
  const folded = new Set<string>();
  let characters = 0;
  for (const [, layer, times] of layers) {
    const spans = layer.type === 'text' ? spansOf(layer) : [];
    const asked = [layer, ...spans].flatMap(({ visibleWhen = [] }) => visibleWhen);
    if (asked.length === 0) continue;
    for (const [, { variable, ignoreCase }] of questionsIn(asked)) {
      if (ignoreCase === true) folded.add(variable);
    }
    const bound = countBindings(asked) * boundCharacters;
    characters += (JSON.stringify(asked).length + bound) * times;
  }
  // The value of each such variable is folded once a frame.
  return characters + folded.size * templateLimits.valueCodePointsMax;
}

/** Number of bindings in all texts of an object, without a layer's children. */
export function countBindings(owner: object): number {
  return boundTextsIn(owner).reduce((sum, { sources }) => sum + sources.length, 0);
}
