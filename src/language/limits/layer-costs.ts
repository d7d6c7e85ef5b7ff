/** What laying out one layer costs, by its type. */
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

/** Microseconds of a code, those that a byte of its value adds, and the bytes that its largest form holds. */
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
 * SVG markup: each character is checked, and each of a value escaped first, into six at most (measured: 0.06
 * and 0.45 µs, one busy core).
 */
const markupUs = 0.1;
const markupValueUs = 0.5;
/** Characters of an image's address in a link of 16 KiB: markup does not cut it. */
const addressLengthMax = 16_384;

/** UTF-8 writes a code point in four bytes at most. */
const codePointBytesMax = 4;

/** One layer's part, microseconds. */
export interface LayerCost {
  /** With empty values. */
  us: number;
  /** What the defaults add to it, and the most that any values can. */
  defaultsUs: number;
  mostUs: number;
  /** What each code point of a bound variable adds. */
  valueUs: Map<string, number>;
}

/** A variable as what draws it needs it: the length of its default by each measure. */
export interface DefaultCost {
  type: Variable['type'];
  text: string;
  codePoints: number;
  bytes: number;
}

/** The cost of a text, `defaults` being its variables'. */
export function textCost(layer: TextLayer, defaults: ReadonlyMap<string, DefaultCost>): LayerCost {
  const spans = spansOf(layer);
  const weight = textWeight(layer);
  const valueUs = new Map<string, number>();
  const defaultUs = new Map<string, number>();
  let literalUs = 0;
  let defaultsUs = 0;
  // Each may be laid out; where the text would not shrink, the one that is drawn twice.
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
  // Longer values are left out; a longer text of the template is refused.
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

/** Code points that the formats of a text's bindings add to its values at most. */
function addedByFormats(text: string): number {
  let adds = 0;
  for (const source of text.includes('|') ? bindingsIn(text) : []) {
    if (source.includes('|')) adds += compileBinding(source).adds;
  }
  return adds;
}

/** The cost of SVG markup. */
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

/** The cost of a QR code. */
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
