/** Lays out QR codes and barcodes as vector shapes, so that they are sharp at every scale. */
import { createRequire } from 'node:module';
import type Bwip from 'bwip-js/node';
import { aztecBytesMax, codeLengthMax } from '#language/schema/layers.ts';
import type { BarcodeLayer, QrLayer } from '#language/schema/layers.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import type { DisplayContent, DisplayItem, Rect } from '../display-list.ts';
import { colorDoubt } from './codes/code-colors.ts';
import { codeValue } from './codes/code-values.ts';
import { qrModules } from './codes/qr-modules.ts';

/** Loaded with the first barcode, because loading takes 30 ms. */
let bwip: typeof Bwip | undefined;

/** Light modules around a QR code (ISO/IEC 18004, 9.1). */
const quietZoneDefault = 4;
const [darkDefault, groundDefault] = ['#000000', '#ffffff'];
const noRadii = [0, 0, 0, 0] as const;

/** Empty modules on every side of each kind (of linear kinds, left and right), by its standard. */
const quietZones: Readonly<Record<BarcodeLayer['kind'], number>> = {
  code128: 10,
  code39: 10,
  ean13: 11,
  ean8: 7,
  upca: 9,
  interleaved2of5: 10,
  datamatrix: 1,
  pdf417: 2,
  azteccode: 0,
};

/**
 * Maximum bytes of a value in a matrix code: the capacity of its largest form, and less for Aztec codes, because the
 * encoder takes 0.1 ms per byte (measured, one core: 20 to 40 ms for 400). A rail ticket has about 350 bytes.
 */
const matrixBytesMax: Partial<Record<BarcodeLayer['kind'], number>> = {
  datamatrix: 3116,
  pdf417: 2710,
  azteccode: aztecBytesMax,
};

/** Marks the characters that follow as UTF-8 (AIM extended channel interpretation 26). */
const utf8Channel = '^ECI000026';

/** A code's content, or the reason why its value cannot be encoded. */
export type CodeLayout =
  | {
      content: DisplayContent;
      /** Width of a module in design pixels; scanners fail on less than one. */
      modulePx: number;
      /** Why readers may find another number than is meant, or none, each with the remedy. */
      doubts: readonly string[];
    }
  | { problem: string };

/** Returns the content of a code; undefined if it cannot be encoded. Adds warnings for the designer. */
export function codeContent(
  layer: string,
  layout: CodeLayout,
  warnings: RenderWarning[],
): DisplayContent | undefined {
  if ('problem' in layout) {
    warnings.push({ code: 'CODE_FAILED', layer, detail: layout.problem });
    return undefined;
  }
  if (layout.modulePx < 1) {
    const detail = 'its bars are thinner than a pixel and may not scan; make the box larger';
    warnings.push({ code: 'CODE_TOO_SMALL', layer, detail });
  }
  for (const detail of layout.doubts) warnings.push({ code: 'CODE_UNREADABLE', layer, detail });
  return layout.content;
}

/**
 * Lays out a QR code in the middle of its box. A module is a whole number of design pixels if the box is large enough:
 * scanners fail on blurred edges.
 */
export function layoutQr(layer: QrLayer, box: Rect): CodeLayout {
  if (layer.value === '') return { problem: 'its value is empty' };
  const problem = lengthProblem(layer);
  if (problem !== undefined) return { problem };
  const { errorCorrection = 'M', quietZone = quietZoneDefault } = layer;
  let modules: boolean[][];
  try {
    modules = qrModules(layer.value, errorCorrection);
  } catch {
    return { problem: 'its value is too long for a QR code of this error correction' };
  }
  const size = modules.length + 2 * quietZone;
  const unit = wholeUnit(Math.min(box.width, box.height) / size);
  const rect = centred(box, unit * size, unit * size);
  const content = toGroup(layer, box, rect, rowsToPath(modules, quietZone), unit, unit);
  return { content, modulePx: unit, doubts: doubtsOf(layer, false) };
}

function doubtsOf(
  { color = darkDefault, background = groundDefault }: QrLayer | BarcodeLayer,
  isLinear: boolean,
  ofValue?: string,
): string[] {
  return [ofValue, colorDoubt(color, background, isLinear)].filter((doubt) => doubt !== undefined);
}

/** A bound value may have any length. The default must not replace it, because that would be another person's code. */
function lengthProblem({ type, value }: QrLayer | BarcodeLayer): string | undefined {
  const isLong =
    value.length > codeLengthMax[type] && Array.from(value).length > codeLengthMax[type];
  return isLong ? `its value is longer than ${codeLengthMax[type]} characters` : undefined;
}

/** Returns SVG path data: a rectangle for each run of dark modules in a row, in units of modules, after empty ones. */
function rowsToPath(rows: readonly (readonly boolean[])[], empty = 0): string {
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
      parts.push(
        `M${start + empty} ${y + empty}H${end + empty}V${y + empty + 1}H${start + empty}Z`,
      );
      start = end;
    }
  }
  return parts.join('');
}

function wholeUnit(unit: number): number {
  return unit >= 1 ? Math.floor(unit) : unit;
}

/** Returns a rectangle in the middle of a box, with its corner at whole design pixels. */
function centred(box: Rect, width: number, height: number): Rect {
  const x = Math.round(box.x + (box.width - width) / 2);
  const y = Math.round(box.y + (box.height - height) / 2);
  return { x, y, width, height };
}

/**
 * Lays out a barcode as wide as its box allows in whole modules, with its quiet zone inside. Linear codes are as high
 * as the box; matrix codes keep their proportions.
 */
export function layoutBarcode(layer: BarcodeLayer, box: Rect): CodeLayout {
  if (layer.value === '') return { problem: 'its value is empty' };
  const meant = codeValue(layer.kind, layer.value);
  if ('problem' in meant) return meant;
  const bytes = toBytes(layer.kind, meant.value);
  if ('problem' in bytes) return bytes;
  const problem = lengthProblem(layer);
  if (problem !== undefined) return { problem };
  let drawing: BarcodeDrawing;
  try {
    drawing = drawBarcode(layer.kind, bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^bwipp?\.?\w*#\d+: /, '') : '';
    return { problem: `its value is no ${layer.kind}: ${reason}`.slice(0, 200) };
  }
  const { width, height, data, isLinear } = drawing;
  const around = 2 * (layer.quietZone ?? quietZones[layer.kind]);
  const unitX = box.width / (width + around);
  const unit = wholeUnit(isLinear ? unitX : Math.min(unitX, box.height / (height + around)));
  const scaleY = isLinear ? box.height : unit;
  const rect = centred(box, width * unit, height * scaleY);
  const content = toGroup(layer, box, rect, data, unit, scaleY);
  return { content, modulePx: unit, doubts: doubtsOf(layer, isLinear, meant.doubt) };
}

interface BarcodeDrawing {
  width: number;
  height: number;
  data: string;
  /** Whether the bars are one module high, to be stretched to the height of the box. */
  isLinear: boolean;
}

/** The data of a code: a character for each byte. `isUtf8` if the code itself declares UTF-8. */
interface CodeBytes {
  text: string;
  isUtf8: boolean;
}

/** Characters that the linear kinds can encode, as words of an error message. */
const alphabets: Partial<Record<BarcodeLayer['kind'], string>> = {
  code128: 'the characters of Western European languages (Latin-1)',
  code39: 'digits, the capital letters A to Z, spaces and -.$/+%',
};

/**
 * Returns the bytes of a value. Readers decode them as Latin-1 in each of these kinds (ISO/IEC 15417, 16022, 15438,
 * 24778). A matrix code can declare UTF-8, which older readers ignore, so it does only if Latin-1 does not suffice.
 */
function toBytes(kind: BarcodeLayer['kind'], value: string): CodeBytes | { problem: string } {
  const foreign = /[\u{100}-\u{10FFFF}]/u.exec(value)?.[0];
  const isUtf8 = foreign !== undefined;
  const bytesMax = matrixBytesMax[kind];
  if (bytesMax === undefined) {
    if (!isUtf8) return { text: value, isUtf8 };
    const held = alphabets[kind] ?? 'digits';
    return { problem: `its value has ${JSON.stringify(foreign)}, but ${kind} holds ${held}` };
  }
  if (value.length > bytesMax || (isUtf8 && Buffer.byteLength(value) > bytesMax)) {
    return { problem: `its value is longer than the ${bytesMax} bytes that ${kind} may have` };
  }
  return { text: isUtf8 ? Buffer.from(value).toString('latin1') : value, isUtf8 };
}

function drawBarcode(kind: BarcodeLayer['kind'], { text, isUtf8 }: CodeBytes): BarcodeDrawing {
  // The module's named export `raw` is a symbology; the encoder is on the default export.
  bwip ??= createRequire(import.meta.url)('bwip-js/node') as typeof Bwip;
  // Without `binarytext` the encoder would write each character above U+007F as UTF-8, without a warning.
  const bytes = { bcid: kind, text, binarytext: true };
  const named = { ...bytes, text: utf8Channel + text.replaceAll('^', '^^'), parsefnc: true };
  const raw = bwip.raw(isUtf8 ? named : bytes)[0];
  if (raw === undefined) throw new Error('nothing to encode');
  if ('pixs' in raw) {
    const { pixs, pixx, pixy } = raw;
    const rows = Array.from({ length: pixy }, (_, y) =>
      pixs.slice(y * pixx, (y + 1) * pixx).map((pixel) => pixel === 1),
    );
    return { width: pixx, height: pixy, data: rowsToPath(rows), isLinear: false };
  }
  const parts: string[] = [];
  let x = 0;
  for (const [index, width] of raw.sbs.entries()) {
    if (index % 2 === 0) parts.push(`M${x} 0H${x + width}V1H${x}Z`);
    x += width;
  }
  return { width: x, height: 1, data: parts.join(''), isLinear: true };
}

function toGroup(
  layer: QrLayer | BarcodeLayer,
  box: Rect,
  rect: Rect,
  data: string,
  scaleX: number,
  scaleY: number,
): DisplayContent {
  const base = {
    layer: layer.id,
    box,
    rotation: 0,
    opacity: 1,
    blendMode: 'normal',
    shadows: [],
    blur: 0,
    filter: undefined,
    clip: undefined,
    frame: undefined,
    mask: undefined,
    border: undefined,
    radii: noRadii,
  };
  const ground: DisplayItem = {
    ...base,
    content: {
      kind: 'shape',
      outline: { kind: 'rect', rect: box, radii: noRadii },
      fill: layer.background ?? groundDefault,
      stroke: undefined,
    },
  };
  const dark: DisplayItem = {
    ...base,
    content: {
      kind: 'shape',
      outline: { kind: 'path', rect, data, scaleX, scaleY },
      fill: layer.color ?? darkDefault,
      stroke: undefined,
    },
  };
  return { kind: 'group', items: [ground, dark] };
}
