/** Estimates what laying out a template's texts and codes costs, so that no document keeps a worker busy for long. */
import { bindText, boundNames } from '../bind/bindings.ts';
import { aztecBytesMax } from '../schema/layers.ts';
import type { BarcodeLayer, Layer, QrLayer, SvgLayer } from '../schema/layers.ts';
import { templateLimits } from './template-limits.ts';
import { countCodePoints } from './text-limit.ts';
import type { Template, Variable } from '../schema/template.ts';
import { layerTextMax, layerUs, spansOf, spanUs, textUs, textWeight } from './text-limit.ts';
import type { TextLayer } from '../schema/text.ts';

const { layerCodePointsMax } = templateLimits;

/** A set of spacings and features that no other span has. */
const settingsUs = 500;

/** Microseconds of a code, those that a byte of its value adds, and the bytes that its largest form holds. */
interface CodeCost {
  us: number;
  byteUs: number;
  bytesMax: number;
}
const qrCost: CodeCost = { us: 500, byteUs: 12, bytesMax: 2953 };
const linearCost: CodeCost = { us: 200, byteUs: 4, bytesMax: 500 };
const matrixCosts: Partial<Record<BarcodeLayer['kind'], CodeCost>> = {
  datamatrix: { us: 1000, byteUs: 30, bytesMax: 1556 },
  pdf417: { us: 500, byteUs: 25, bytesMax: 1108 },
  azteccode: { us: 700, byteUs: 110, bytesMax: aztecBytesMax },
};
/**
 * SVG markup: each character is checked, and each of a value escaped first, into six at most (measured: 0.06
 * and 0.45 µs, one busy core).
 */
const markupUs = 0.1;
const markupValueUs = 0.5;
/** Characters of an image's address in a link of 16 KiB: markup does not cut it. */
const addressLengthMax = 16_384;

/** UTF-8 writes a code point in four bytes at most. */
const codePointBytesMax = 4;

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

/** One layer's part, microseconds. */
interface LayerCost {
  /** With empty values. */
  us: number;
  /** What the defaults add to it, and the most that any values can. */
  defaultsUs: number;
  mostUs: number;
  /** What each code point of a bound variable adds. */
  valueUs: Map<string, number>;
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
    const own = layerCost(layer, defaults);
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

/** A variable as what draws it needs it: the length of its default by each measure. */
interface DefaultCost {
  type: Variable['type'];
  text: string;
  codePoints: number;
  bytes: number;
}

function defaultCost({ type, value }: Variable): DefaultCost {
  return { type, text: value, codePoints: countCodePoints(value), bytes: utf8Bytes(value) };
}

function layerCost(
  layer: Layer,
  defaults: ReadonlyMap<string, DefaultCost>,
): LayerCost | undefined {
  switch (layer.type) {
    case 'text':
      return textCost(layer, defaults);
    case 'qr':
      return codeCost(layer, qrCost, defaults);
    case 'barcode':
      return codeCost(layer, matrixCosts[layer.kind] ?? linearCost, defaults);
    case 'svg':
      return markupCost(layer, defaults);
    default:
      return undefined;
  }
}

function textCost(layer: TextLayer, defaults: ReadonlyMap<string, DefaultCost>): LayerCost {
  const spans = spansOf(layer);
  const weight = textWeight(layer);
  const valueUs = new Map<string, number>();
  const defaultUs = new Map<string, number>();
  let literalUs = 0;
  let defaultsUs = 0;
  for (const { text } of spans) {
    literalUs += textUs(bindText(text, new Map()), weight);
    for (const name of boundNames(text)) {
      const known = defaultUs.get(name) ?? textUs(defaults.get(name)?.text ?? '', weight);
      defaultUs.set(name, known);
      defaultsUs += known;
      valueUs.set(name, (valueUs.get(name) ?? 0) + weight.otherUs);
    }
  }
  // What is more is left out, or refused when it is the template's own.
  const mostUs = layerTextMax(layer) * weight.otherUs;
  literalUs = Math.min(literalUs, mostUs);
  return {
    us: layerUs + spans.length * spanUs + literalUs,
    defaultsUs,
    mostUs: mostUs - literalUs,
    valueUs,
  };
}

function markupCost({ svg }: SvgLayer, defaults: ReadonlyMap<string, DefaultCost>): LayerCost {
  const valueUs = new Map<string, number>();
  let defaultsUs = 0;
  for (const name of boundNames(svg)) {
    const known = defaults.get(name);
    defaultsUs += (known?.codePoints ?? 0) * markupValueUs;
    const lengthening = known?.type === 'image' ? addressLengthMax / layerCodePointsMax : 1;
    valueUs.set(name, (valueUs.get(name) ?? 0) + markupValueUs * lengthening);
  }
  return { us: svg.length * markupUs, defaultsUs, mostUs: Infinity, valueUs };
}

function codeCost(
  { value }: QrLayer | BarcodeLayer,
  { us, byteUs, bytesMax }: CodeCost,
  defaults: ReadonlyMap<string, DefaultCost>,
): LayerCost {
  const literalUs = Math.min(bytesMax, utf8Bytes(bindText(value, new Map()))) * byteUs;
  const valueUs = new Map<string, number>();
  let defaultsUs = 0;
  for (const name of boundNames(value)) {
    defaultsUs += (defaults.get(name)?.bytes ?? 0) * byteUs;
    valueUs.set(name, (valueUs.get(name) ?? 0) + byteUs * codePointBytesMax);
  }
  return { us: us + literalUs, defaultsUs, mostUs: bytesMax * byteUs, valueUs };
}

/** Bytes of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x1_00_00 ? 3 : 4;
  }
  return bytes;
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
