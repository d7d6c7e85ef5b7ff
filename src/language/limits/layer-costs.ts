/** Estimates the CPU time of laying out one layer, by its type. */
import { bindingsIn, bindText, boundNames } from '../bind/bindings.ts';
import { compileBinding } from '../values/formatted-binding.ts';
import { aztecBytesMax } from '../schema/layers.ts';
import type { BarcodeLayer, QrLayer, SvgLayer } from '../schema/layers.ts';
import { templateLimits } from './template-limits.ts';
import type { Variable } from '../schema/template.ts';
import {
  layerTextMax,
  layerUs,
  layoutsOf,
  spansOf,
  spanUs,
  textUs,
  textWeight,
} from './text-limit.ts';
import type { TextLayer } from '../schema/text.ts';

const { layerCodePointsMax } = templateLimits;

/** Cost of a code: a fixed part, a part for each byte of its value, and the capacity of its largest form in bytes. */
interface CodeCost {
  us: number;
  byteUs: number;
  bytesMax: number;
}
const qrCodeCost: CodeCost = { us: 500, byteUs: 12, bytesMax: 2953 };
const linearCost: CodeCost = { us: 200, byteUs: 4, bytesMax: 500 };
const matrixCosts: Partial<Record<BarcodeLayer['kind'], CodeCost>> = {
  datamatrix: { us: 1000, byteUs: 30, bytesMax: 1556 },
  pdf417: { us: 500, byteUs: 25, bytesMax: 1108 },
  azteccode: { us: 700, byteUs: 110, bytesMax: aztecBytesMax },
};
/**
 * SVG markup: each character is checked. Each character of a value is also escaped, into at most six. Measured on one
 * busy core: 0.06 µs and 0.45 µs.
 */
const markupUs = 0.1;
const markupValueUs = 0.5;
/** Maximum characters of an image's address, in a link of 16 KiB. Markup does not truncate it. */
const addressLengthMax = 16_384;

const codePointBytesMax = 4;

/** The layout cost of one layer, in µs. */
export interface LayerCost {
  /** The cost with empty values. */
  us: number;
  /** The cost that the default values add, and the maximum that any values can add. */
  defaultsUs: number;
  mostUs: number;
  /** The cost that each code point of a bound variable adds. */
  valueUs: Map<string, number>;
}

/** A default value and its length by each measure. */
export interface DefaultCost {
  type: Variable['type'];
  text: string;
  codePoints: number;
  bytes: number;
}

/** The cost of a text. `defaults` are the default values by variable. */
export function textCost(layer: TextLayer, defaults: ReadonlyMap<string, DefaultCost>): LayerCost {
  const spans = spansOf(layer);
  const weight = textWeight(layer);
  const valueUs = new Map<string, number>();
  const defaultUs = new Map<string, number>();
  let literalUs = 0;
  let defaultsUs = 0;
  // Each text may be laid out. If the text does not shrink, the drawn text is laid out twice.
  const texts = [...spans.map(({ text }) => text), ...(layer.alternatives ?? [])];
  const isLaidOutTwice =
    layer.alternatives !== undefined && (layer.overflow ?? 'shrink') !== 'shrink';
  for (const text of isLaidOutTwice ? [...texts, ...texts] : texts) {
    literalUs += textUs(bindText(text, new Map()), weight) + addedByFormats(text) * weight.otherUs;
    for (const name of boundNames(text, defaults)) {
      const known = defaultUs.get(name) ?? textUs(defaults.get(name)?.text ?? '', weight);
      defaultUs.set(name, known);
      defaultsUs += known;
      valueUs.set(name, (valueUs.get(name) ?? 0) + weight.otherUs);
    }
  }
  // Layout truncates longer values, and checks refuse a longer literal text.
  const layouts = (1 + (layer.alternatives?.length ?? 0)) * (isLaidOutTwice ? 2 : 1);
  const mostUs = layouts * layerTextMax(layer) * weight.otherUs;
  literalUs = Math.min(literalUs, mostUs);
  return {
    us: (layerUs + spans.length * spanUs) * layoutsOf(layer) + literalUs,
    defaultsUs,
    mostUs: mostUs - literalUs,
    valueUs,
  };
}

/** Maximum code points that the formats of a text's bindings add to its values. */
function addedByFormats(text: string): number {
  let adds = 0;
  for (const source of text.includes('|') ? bindingsIn(text) : []) {
    if (source.includes('|')) adds += compileBinding(source).adds;
  }
  return adds;
}

export function markupCost(
  { svg }: SvgLayer,
  defaults: ReadonlyMap<string, DefaultCost>,
): LayerCost {
  const valueUs = new Map<string, number>();
  let defaultsUs = 0;
  for (const name of boundNames(svg, defaults)) {
    const known = defaults.get(name);
    defaultsUs += (known?.codePoints ?? 0) * markupValueUs;
    const lengthening = known?.type === 'image' ? addressLengthMax / layerCodePointsMax : 1;
    valueUs.set(name, (valueUs.get(name) ?? 0) + markupValueUs * lengthening);
  }
  const us = svg.length * markupUs + addedByFormats(svg) * markupValueUs;
  return { us, defaultsUs, mostUs: Infinity, valueUs };
}

function codeCost(
  { value }: QrLayer | BarcodeLayer,
  { us, byteUs, bytesMax }: CodeCost,
  defaults: ReadonlyMap<string, DefaultCost>,
): LayerCost {
  const literalBytes =
    utf8Bytes(bindText(value, new Map())) + addedByFormats(value) * codePointBytesMax;
  const literalUs = Math.min(bytesMax, literalBytes) * byteUs;
  const valueUs = new Map<string, number>();
  let defaultsUs = 0;
  for (const name of boundNames(value, defaults)) {
    defaultsUs += (defaults.get(name)?.bytes ?? 0) * byteUs;
    valueUs.set(name, (valueUs.get(name) ?? 0) + byteUs * codePointBytesMax);
  }
  return { us: us + literalUs, defaultsUs, mostUs: bytesMax * byteUs, valueUs };
}

export function qrCost(layer: QrLayer, defaults: ReadonlyMap<string, DefaultCost>): LayerCost {
  return codeCost(layer, qrCodeCost, defaults);
}

/** The cost of a barcode, which depends on its kind. */
export function barcodeCost(
  layer: BarcodeLayer,
  defaults: ReadonlyMap<string, DefaultCost>,
): LayerCost {
  return codeCost(layer, matrixCosts[layer.kind] ?? linearCost, defaults);
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
