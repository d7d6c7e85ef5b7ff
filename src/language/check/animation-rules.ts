/** Checks animations beyond their schema: references, value ranges, and the number of frames and pixels. */
import { designedFrames, motionFrames } from '../animation/frames.ts';
import { boundNames } from '../bind/bindings.ts';
import { isParent, walkLayers } from '../layer-tree.ts';
import { templateLimits } from '../limits/template-limits.ts';
import type { Animation, MotionTrack } from '../schema/animation.ts';
import type { Layer } from '../schema/layers.ts';
import { layerSchemas } from '../schema/layers.ts';
import type { Template, Variable } from '../schema/template.ts';
import { suggestName } from './name-suggestions.ts';
import { problemsMax, show } from './template-problems.ts';
import type { TemplateProblem } from './template-problems.ts';
import { valueProblems } from './variable-problems.ts';

const { framesMax, animationCanvasPixelsMax } = templateLimits;

/**
 * Adds the problems of the animation of a document that fits its schema. `isSize`: the document of a size, whose values
 * are those of the design.
 */
export function checkAnimation(
  template: Template,
  problems: TemplateProblem[],
  isSize = false,
): void {
  const { animation, width, height } = template;
  if (animation === undefined) return;
  const add = (path: string, message: string): boolean => {
    problems.push({ path: `animation.${path}`, message });
    return problems.length < problemsMax;
  };
  if (animation.type === 'values' && !isSize) checkValues(animation, template, add);
  if (animation.type === 'motion') checkMotion(animation, template, add);
  const frames = designedFrames(animation);
  const pixels = frames * width * height;
  if (pixels > animationCanvasPixelsMax) {
    add(
      'type',
      `has ${frames} frames of ${width} × ${height}, at most ${animationCanvasPixelsMax / 1e6} megapixels in all: use fewer frames or a smaller canvas`,
    );
  }
}

/** Adds a problem. Returns false once the list holds `problemsMax` problems. */
type AddProblem = (path: string, message: string) => boolean;

function checkValues(
  { frames }: Extract<Animation, { type: 'values' }>,
  { variables, clock }: Template,
  add: AddProblem,
): void {
  const byName = new Map(variables.map((variable) => [variable.name, variable]));
  const ofClock = new Set(
    [clock?.until, clock?.per].flatMap((text) => boundNames(text ?? '', byName)),
  );
  for (const [index, { values }] of frames.entries()) {
    for (const [name, value] of Object.entries(values)) {
      const path = `frames[${index}].values.${name}`;
      const variable = byName.get(name);
      const found =
        variable === undefined
          ? [unknownName(name, [...byName.keys()], 'variable')]
          : ofClock.has(name)
            ? ['is read by the clock; all frames have one deadline']
            : problemsOf(variable, value);
      for (const message of found) if (!add(path, message)) return;
    }
  }
}

function problemsOf(variable: Variable, value: string): string[] {
  if (variable.type === 'list') {
    return ['is of a list; an animation changes variables of one value'];
  }
  if (variable.from !== undefined) return ['is of a data table, whose value nothing replaces'];
  return valueProblems({ ...variable, value });
}

function unknownName(name: string, known: readonly string[], kind: string): string {
  const meant = suggestName(name, known);
  const question = meant === undefined ? '' : `; did you mean ${show(meant)}?`;
  return `is ${show(name)}, but the template has no ${kind} of that name${question}`;
}

function checkMotion(
  animation: Extract<Animation, { type: 'motion' }>,
  { layers }: Template,
  add: AddProblem,
): void {
  const count = motionFrames(animation);
  if (count > framesMax) {
    add('seconds', `makes ${count} frames, at most ${framesMax}: lower it, or framesPerSecond`);
  }
  const byId = new Map(Array.from(walkLayers(layers), (walked) => [walked[1].id, walked]));
  for (const [index, track] of (animation.tracks as MotionTrack[]).entries()) {
    const path = `tracks[${index}]`;
    const walked = byId.get(track.layer);
    if (walked === undefined) {
      if (!add(`${path}.layer`, unknownName(track.layer, [...byId.keys()], 'layer'))) return;
      continue;
    }
    const [, layer, parent, repeating] = walked;
    if (repeating !== undefined)
      add(`${path}.layer`, 'repeats a list; an animation moves one layer');
    const problem = propertyProblem(track, layer, parent === 'stack') ?? fillProblem(track, layer);
    if (problem !== undefined) add(`${path}.property`, problem);
    for (const side of ['from', 'to'] as const) {
      const message = valueProblem(track, side);
      if (message !== undefined) add(`${path}.${side}`, message);
    }
    const { start = 0, end = animation.seconds } = track;
    if (end < start || end > animation.seconds) {
      add(`${path}.end`, `is ${end}, expected a time from ${start} to ${animation.seconds}`);
    }
  }
}

/** The reason why a track cannot change this property of its layer; undefined if it can. */
function propertyProblem(
  { property }: MotionTrack,
  layer: Layer,
  isInStack: boolean,
): string | undefined {
  const type = show(layer.type);
  switch (property) {
    case 'x':
    case 'y':
      return isInStack ? `is ${property}, but a stack positions its layers` : undefined;
    case 'scale': {
      const isFixed = typeof layer.width === 'number' && typeof layer.height === 'number';
      if (isParent(layer)) return `is scale, which layers of type ${type} do not have`;
      if (isInStack) return 'is scale, but a stack sizes its layers';
      return isFixed ? undefined : 'is scale, but the layer has no width and height in numbers';
    }
    case 'fill':
      return 'fill' in layerSchemas[layer.type].properties
        ? undefined
        : `is fill, which layers of type ${type} do not have`;
    case 'typed':
      return layer.type === 'text' ? undefined : `is typed, which only texts have`;
    default:
      return undefined;
  }
}

/**
 * The problem of a colour track: without both `from` and `to`, the layer must have a plain colour. Undefined if there
 * is none.
 */
function fillProblem({ property, from, to }: MotionTrack, layer: Layer): string | undefined {
  if (property !== 'fill' || (from !== undefined && to !== undefined)) return undefined;
  const fill = (layer as { fill?: unknown }).fill ?? '#000000';
  if (typeof fill === 'string' && fill.startsWith('#')) return undefined;
  return 'is fill, and the layer has no plain colour: give the track both "from" and "to"';
}

/** Bounds of the values of a track. The other properties have none. */
const ranges: Partial<Record<MotionTrack['property'], readonly [least: number, most: number]>> = {
  opacity: [0, 1],
  typed: [0, 1],
  scale: [0, 10],
  rotation: [-360, 360],
};

function valueProblem(track: MotionTrack, side: 'from' | 'to'): string | undefined {
  const value = track[side];
  if (value === undefined) return undefined;
  if (track.property === 'fill') {
    return typeof value === 'string' ? undefined : `is ${show(value)}, expected a colour`;
  }
  const [least, most] = ranges[track.property] ?? [-Infinity, Infinity];
  if (typeof value === 'number' && value >= least && value <= most) return undefined;
  const range = least === -Infinity ? '' : ` from ${least} to ${most}`;
  return `is ${show(value)}, expected a number${range}`;
}
