/** Estimates what laying out a template's texts and codes costs, so that no document keeps a worker busy for long. */
import { layoutCostOf } from '../layers.ts';
import type { Layer } from '../schema/layers.ts';
import { utf8Bytes } from './layer-costs.ts';
import type { DefaultCost } from './layer-costs.ts';
import { templateLimits } from './template-limits.ts';
import { countCodePoints } from './text-limit.ts';
import type { Template, Variable } from '../schema/template.ts';
import { spansOf } from './text-limit.ts';
import type { TextLayer } from '../schema/text.ts';

const { layerCodePointsMax } = templateLimits;

/** A set of spacings and features that no other span has. */
const settingsUs = 500;

/** Most characters of a value that is no text: a number as it is written, a colour, a switch. */
const plainLengths: Partial<Record<Variable['type'], number>> = {
  number: 32,
  color: 9,
  boolean: 5,
};

/** The layout of one document, and what to mend when it is too much. */
export interface LayoutCost {
  /** Milliseconds of one core with the dearest values that a link can give. */
  ms: number;
  /** The path of the layer that costs most, and its part. */
  dearest: { path: string; ms: number };
  /** The same of codes and SVG, which no count of characters bounds. */
  dearestDrawing: { path: string; ms: number };
  /** Names of the text variables in it, those with the dearest values first. */
  variables: string[];
  /** Families with weight, slant and axes. */
  fonts: number;
}

/**
 * The layout of a template with the longest values of the dearest script. `layers` are all of its
 * layers with their paths, those in groups too. Linear in the document.
 */
export function layoutCost(
  { variables }: Template,
  layers: readonly [path: string, layer: Layer][],
): LayoutCost {
  const defaults = new Map(variables.map((variable) => [variable.name, defaultCost(variable)]));
  const fonts = new Set<string>();
  const settings = new Set<string>();
  const valueUs = new Map<string, number>();
  let dearest = { path: 'layers', ms: 0 };
  let dearestDrawing = dearest;
  let us = 0;
  let mostUs = 0;
  for (const [path, layer] of layers) {
    const own = layoutCostOf(layer, defaults);
    if (own === undefined) continue;
    us += own.us + Math.min(own.defaultsUs, own.mostUs);
    mostUs += own.us + own.mostUs;
    for (const [name, one] of own.valueUs) valueUs.set(name, (valueUs.get(name) ?? 0) + one);
    const valuesUs = own.defaultsUs + longestValues(own.valueUs, variables).us;
    // Whole microseconds: sums of fractions end a hair beside their limit.
    const ms = Math.round(own.us + Math.min(own.mostUs, valuesUs)) / 1000;
    if (ms > dearest.ms) dearest = { path, ms };
    if (layer.type === 'text') addLooks(layer, fonts, settings);
    else if (ms > dearestDrawing.ms) dearestDrawing = { path, ms };
  }
  const values = longestValues(valueUs, variables);
  us = Math.min(us + values.us, mostUs) + settings.size * settingsUs;
  return { ms: us / 1000, dearest, dearestDrawing, variables: values.names, fonts: fonts.size };
}

/** The dearest values that one link can give, by what a code point of each variable costs. */
function longestValues(
  valueUs: ReadonlyMap<string, number>,
  variables: readonly Variable[],
): { us: number; names: string[] } {
  const bound = variables.flatMap((variable) => {
    const us = valueUs.get(variable.name);
    return us === undefined ? [] : [{ variable, us }];
  });
  let codePointsLeft: number = templateLimits.valuesCodePointsMax;
  let sum = 0;
  const shares: { name: string; us: number }[] = [];
  for (const { variable, us } of bound.toSorted((a, b) => b.us - a.us)) {
    const codePoints = codePointsMax(variable);
    if (variable.type !== 'text') {
      sum += codePoints * us;
      continue;
    }
    const taken = Math.min(codePoints, codePointsLeft);
    codePointsLeft -= taken;
    sum += taken * us;
    shares.push({ name: variable.name, us: taken * us });
  }
  return { us: sum, names: shares.toSorted((a, b) => b.us - a.us).map(({ name }) => name) };
}

function codePointsMax({ type, maxLength }: Variable): number {
  if (type === 'text') return maxLength ?? templateLimits.valueCodePointsMax;
  // An address has no limit of its own: a layer cuts it.
  return plainLengths[type] ?? layerCodePointsMax;
}

function defaultCost({ type, value }: Variable): DefaultCost {
  return { type, text: value, codePoints: countCodePoints(value), bytes: utf8Bytes(value) };
}

function addLooks(layer: TextLayer, fonts: Set<string>, settings: Set<string>): void {
  for (const span of spansOf(layer)) {
    const look = { ...layer, ...span };
    const { fontFamily, fontWeight = 400, fontStyle = 'normal', fontVariations } = look;
    fonts.add(JSON.stringify([fontFamily, fontWeight, fontStyle, fontVariations]));
    const { fontFeatures, letterSpacing = 0, wordSpacing = 0 } = look;
    settings.add(JSON.stringify([fontFeatures, letterSpacing, wordSpacing]));
  }
}
