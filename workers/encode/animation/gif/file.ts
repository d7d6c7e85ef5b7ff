/**
 * Writes an animation as GIF (GIF89a), with one colour table for all frames. A frame that replaces at least half of an
 * opaque image has a table of its own.
 */
import type { Rect } from '../../../display-list.ts';
import type { Animation } from '../frames.ts';
import { joinBytes } from '../../banded-image.ts';
import { isOpaque, layOnWhite, toWords } from '../../../pixels.ts';
import type { Pixels } from '../../../pixels.ts';
import { checkWork } from '../../../work-limit.ts';
import { requireFrame } from '../../limit.ts';
import { compressIndexes } from './lzw.ts';
import { createPalette } from './palette.ts';
import type { GifPalette } from './palette.ts';

/** Share of the image from which a later frame has its own colours, because its content is new. */
const replacedShare = 0.5;
/** Weight of pixels of later frames in the choice of common colours: all of them count at most as two images. */
const laterFramesWeight = 2;
/** Browsers show a frame with a shorter delay for 100 ms. */
const delayCentisecondsMin = 2;
/** Maximum of 16 bits: about 655 s. */
const delayCentisecondsMax = 0xff_ff;
/** Minimum alpha of a drawn pixel, which is blended with white: GIF has no half-transparent pixels. */
const opaqueAlphaMin = 128;
/** A transparent pixel. */
const transparent = 0;

/** Makes each pixel opaque or transparent, in place. */
function toOneBitAlpha(words: Uint32Array): Uint32Array {
  checkWork();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? 0;
    words[at] = word >>> 24 < opaqueAlphaMin ? transparent : layOnWhite(word);
  }
  return words;
}

/** Encodes frames and changes their pixels: below half opacity they become transparent. The caller owns the bytes. */
export function encodeGif(animation: Animation): Uint8Array<ArrayBuffer> {
  const { widthPx, heightPx, frames, plays } = animation;
  const sizes = frames.map(({ region }) => region.width * region.height);
  const hasAlpha = !frames.every(({ pixels }) => isOpaque(pixels.data));
  const words = frames.map(({ pixels: { data } }) =>
    hasAlpha ? toOneBitAlpha(toWords(data)) : toWords(data),
  );
  const hasPalette = sizes.map(
    (size, index) => !hasAlpha && index > 0 && size >= replacedShare * widthPx * heightPx,
  );
  const common = frames.flatMap((_, index) => {
    const pixels = words[index];
    if (pixels === undefined || hasPalette[index] === true) return [];
    return [{ words: pixels, weight: index === 0 ? frames.length : laterFramesWeight }];
  });
  const palette = createPalette(common);
  const parts = [header(widthPx, heightPx, palette)];
  if (plays !== 1) parts.push(loopExtension(plays));
  const shown = hasAlpha ? undefined : new Uint32Array(widthPx * heightPx);
  const whole = hasAlpha ? new WholeImage(widthPx, heightPx) : undefined;
  let endMs = 0;
  for (const [index, frame] of frames.entries()) {
    // The end of a frame is rounded, not its length: 8 frames per second take exactly a second.
    let delay = Math.round((endMs + frame.delayMs) / 10) - Math.round(endMs / 10);
    endMs += frame.delayMs;
    const pixels = words[index] ?? new Uint32Array(0);
    const drawn = whole?.paste(frame.region, pixels) ?? { region: frame.region, words: pixels };
    requireFrame(toPixels(drawn), 'gif', 100);
    const local =
      hasPalette[index] === true ? createPalette([{ words: pixels, weight: 1 }]) : undefined;
    const context = { shown, palette, local };
    // A delay above the maximum of the format needs further frames, which change nothing.
    for (let isFirst = index === 0; ; isFirst = false) {
      const delayPart = Math.min(delay, delayCentisecondsMax);
      const part = { ...context, delay: delayPart, isFirst };
      parts.push(...writeFrame(drawn.region, drawn.words, widthPx, part));
      delay -= delayPart;
      if (delay <= 0) break;
    }
  }
  parts.push(Uint8Array.of(0x3b));
  return joinBytes(parts);
}

interface DrawnRegion {
  region: Rect;
  words: Uint32Array;
}

function toPixels({ region, words }: DrawnRegion): Pixels {
  const data = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  return { data, widthPx: region.width, heightPx: region.height };
}

/** An image with transparent pixels. Its frames are whole, because a frame cannot make a pixel transparent again. */
class WholeImage {
  readonly #region: Rect;
  readonly #words: Uint32Array;

  constructor(widthPx: number, heightPx: number) {
    this.#region = { x: 0, y: 0, width: widthPx, height: heightPx };
    this.#words = new Uint32Array(widthPx * heightPx);
  }

  /** Replaces a region; returns the whole image, which the next call changes. */
  paste({ x, y, width, height }: Rect, words: Uint32Array): DrawnRegion {
    for (let row = 0; row < height; row += 1) {
      const line = words.subarray(row * width, (row + 1) * width);
      this.#words.set(line, (y + row) * this.#region.width + x);
    }
    return { region: this.#region, words: this.#words };
  }
}

interface FrameContext {
  /** Hundredths of a second. */
  delay: number;
  /** The image as it shows before the frame; absent for images with transparent pixels, whose frames are whole. */
  shown: Uint32Array | undefined;
  palette: GifPalette;
  /** The frame's own colours; absent if it uses `palette`. */
  local: GifPalette | undefined;
  isFirst: boolean;
}

function writeFrame(
  region: Rect,
  words: Uint32Array,
  widthPx: number,
  { delay, shown, palette, local, isFirst }: FrameContext,
): Uint8Array[] {
  const used = local ?? palette;
  const { x: left, y: top, width, height } = region;
  const indexes = new Uint8Array(words.length);
  const { indexOf, transparentIndex } = used;
  for (let row = 0, at = 0; row < height; row += 1) {
    let position = (top + row) * widthPx + left;
    for (let column = 0; column < width; column += 1, at += 1, position += 1) {
      const word = words[at] ?? 0;
      if (shown === undefined) {
        const isDrawn = word !== transparent;
        indexes[at] = isDrawn ? indexOf(word, left + column, top + row) : transparentIndex;
      } else if (!isFirst && shown[position] === word) {
        indexes[at] = transparentIndex;
      } else {
        indexes[at] = indexOf(word, left + column, top + row);
        shown[position] = word;
      }
    }
  }
  const descriptor = new Uint8Array(10);
  const view = new DataView(descriptor.buffer);
  view.setUint8(0, 0x2c);
  view.setUint16(1, left, true);
  view.setUint16(3, top, true);
  view.setUint16(5, width, true);
  view.setUint16(7, height, true);
  view.setUint8(9, local === undefined ? 0 : 0x80 | (local.indexBits - 1));
  // A whole frame of a transparent image is cleared before the next one; other frames stay below the next one.
  const disposal = shown === undefined ? 2 : 1;
  const control = graphicControl(delay, disposal, transparentIndex);
  const data = compressIndexes(indexes, used.indexBits);
  return local === undefined
    ? [control, descriptor, data]
    : [control, descriptor, colorTable(local), data];
}

function header(widthPx: number, heightPx: number, palette: GifPalette): Uint8Array {
  const bytes = new Uint8Array(13);
  bytes.set(new TextEncoder().encode('GIF89a'));
  const view = new DataView(bytes.buffer);
  view.setUint16(6, widthPx, true);
  view.setUint16(8, heightPx, true);
  // A table for all frames, and eight bits for each primary colour of the source.
  view.setUint8(10, 0x80 | 0x70 | (palette.indexBits - 1));
  return joinBytes([bytes, colorTable(palette)]);
}

function colorTable({ colors, indexBits }: GifPalette): Uint8Array {
  const table = new Uint8Array(3 << indexBits);
  for (const [index, color] of colors.entries()) {
    table[index * 3] = color & 255;
    table[index * 3 + 1] = (color >>> 8) & 255;
    table[index * 3 + 2] = (color >>> 16) & 255;
  }
  return table;
}

/** Netscape's application extension: the number of repetitions, 0 for no end. */
function loopExtension(plays: number): Uint8Array {
  const bytes = new Uint8Array(19);
  bytes.set([0x21, 0xff, 11]);
  bytes.set(new TextEncoder().encode('NETSCAPE2.0'), 3);
  bytes.set([3, 1], 14);
  new DataView(bytes.buffer).setUint16(16, plays === 0 ? 0 : plays - 1, true);
  return bytes;
}

function graphicControl(delay: number, disposal: number, transparentIndex: number): Uint8Array {
  const bytes = Uint8Array.of(0x21, 0xf9, 4, (disposal << 2) | 1, 0, 0, transparentIndex, 0);
  const shown = Math.max(delayCentisecondsMin, delay);
  new DataView(bytes.buffer).setUint16(4, shown, true);
  return bytes;
}
