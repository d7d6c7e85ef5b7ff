/** Lays out QR codes and barcodes as vector shapes, so that they are sharp at every scale. */
import { raw as encodeBarcode } from 'bwip-js/node';
import { encode } from 'uqr';
import type { BarcodeLayer, QrLayer } from '#shared/layer-schemas.ts';
import type { DisplayContent, DisplayItem, Rect } from '../display-list.ts';

/** Light modules around a QR code (ISO/IEC 18004, 9.1). */
const quietZoneDefault = 4;
const noRadii = [0, 0, 0, 0] as const;

/** A code's content, or why its value cannot be encoded. */
export type CodeLayout = { content: DisplayContent } | { problem: string };

/**
 * Lays out a QR code in the middle of its box. A module is a whole number of design pixels where the
 * box has room for it: a blurred edge is what a scanner fails on.
 */
export function layoutQr(layer: QrLayer, box: Rect): CodeLayout {
  if (layer.value === '') return { problem: 'the value is empty' };
  let modules: boolean[][];
  try {
    const { errorCorrection: ecc = 'M', quietZone: border = quietZoneDefault } = layer;
    modules = encode(layer.value, { ecc, border, boostEcc: false }).data;
  } catch {
    return { problem: 'the value is too long for a QR code' };
  }
  const unit = wholeUnit(Math.min(box.width, box.height) / modules.length);
  const rect = centred(box, unit * modules.length, unit * modules.length);
  return { content: toGroup(layer, rect, rowsToPath(modules), unit, unit) };
}

/** One rectangle for each run of dark modules in a row, in units of modules. */
function rowsToPath(rows: readonly (readonly boolean[])[]): string {
  const parts: string[] = [];
  for (const [y, row] of rows.entries()) {
    let start = 0;
    while (start < row.length) {
      if (row[start] !== true) {
        start += 1;
        continue;
      }
      let end = start;
      while (row[end] === true) end += 1;
      parts.push(`M${start} ${y}H${end}V${y + 1}H${start}Z`);
      start = end;
    }
  }
  return parts.join('');
}

function wholeUnit(unit: number): number {
  return unit >= 1 ? Math.floor(unit) : unit;
}

/** A rectangle in the middle of a box, at whole design pixels from its corner. */
function centred(box: Rect, width: number, height: number): Rect {
  const x = box.x + Math.floor((box.width - width) / 2);
  const y = box.y + Math.floor((box.height - height) / 2);
  return { x, y, width, height };
}

/** Lays out a barcode as wide as its box allows in whole modules; matrix codes keep their proportions. */
export function layoutBarcode(layer: BarcodeLayer, box: Rect): CodeLayout {
  if (layer.value === '') return { problem: 'the value is empty' };
  let drawing: BarcodeDrawing;
  try {
    drawing = drawBarcode(layer.kind, layer.value);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^bwipp?\.?\w*#\d+: /, '') : '';
    return { problem: `the value is no ${layer.kind}: ${reason}`.slice(0, 200) };
  }
  const { width, height, data, stretches } = drawing;
  const ratio = wholeUnit(Math.min(box.width / width, box.height / height));
  const scaleX = stretches ? wholeUnit(box.width / width) : ratio;
  const scaleY = stretches ? box.height / height : ratio;
  const rect = centred(box, width * scaleX, height * scaleY);
  return { content: toGroup(layer, rect, data, scaleX, scaleY) };
}

interface BarcodeDrawing {
  width: number;
  height: number;
  data: string;
  stretches: boolean;
}

function drawBarcode(kind: BarcodeLayer['kind'], value: string): BarcodeDrawing {
  const raw = encodeBarcode({ bcid: kind, text: value })[0];
  if (raw === undefined) throw new Error('nothing to encode');
  if ('pixs' in raw) {
    const { pixs, pixx, pixy } = raw;
    const rows = Array.from({ length: pixy }, (_, y) =>
      pixs.slice(y * pixx, (y + 1) * pixx).map((pixel) => pixel === 1),
    );
    return { width: pixx, height: pixy, data: rowsToPath(rows), stretches: false };
  }
  const parts: string[] = [];
  let x = 0;
  for (const [index, width] of raw.sbs.entries()) {
    if (index % 2 === 0) parts.push(`M${x} 0H${x + width}V1H${x}Z`);
    x += width;
  }
  return { width: x, height: 1, data: parts.join(''), stretches: true };
}

function toGroup(
  layer: QrLayer | BarcodeLayer,
  rect: Rect,
  data: string,
  scaleX: number,
  scaleY: number,
): DisplayContent {
  const base = {
    layer: layer.id,
    box: rect,
    rotation: 0,
    opacity: 1,
    blendMode: 'normal',
    shadows: [],
    blur: 0,
    filter: undefined,
    clip: undefined,
    mask: undefined,
    border: undefined,
    radii: noRadii,
  };
  const ground: DisplayItem = {
    ...base,
    content: {
      kind: 'shape',
      outline: { kind: 'rect', rect, radii: noRadii },
      fill: layer.background ?? '#ffffff',
      stroke: undefined,
    },
  };
  const dark: DisplayItem = {
    ...base,
    content: {
      kind: 'shape',
      outline: { kind: 'path', rect, data, scaleX, scaleY },
      fill: layer.color ?? '#000000',
      stroke: undefined,
    },
  };
  return { kind: 'group', items: [ground, dark] };
}
