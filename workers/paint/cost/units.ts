/**
 * Time of the paint engine for one unit of each kind of work, on one core. These are upper bounds of measurements of
 * single operations on a canvas of 3600 × 1890 with skia-canvas 4.0.0-rc1, which rasterises on the processor.
 * `node bench/stages/paint-cost.ts` measures them again, `npm run law:estimate` the whole model.
 */

/** Nanoseconds per device pixel. */
export const pixelNs = {
  /** The canvas itself: allocating it, and reading it back with and without its alpha multiplied in. */
  canvas: 10,
  /** Solid fill, opaque or translucent, with anti-aliased edges: measured 0.3 to 0.9. */
  solid: 1,
  /** Of up to 16 stops: measured 3 to 9. */
  gradient: 8.5,
  /** Each fade between two opacities is 17 stops more: 15 of them take 12 to 19. */
  gradientFade: 1,
  /** A gradient that is first made as pixels, read back, decoded and drawn: measured 9 to 17. */
  laidGradient: 16,
  /** An image that is scaled with bicubic filtering: upright 10.3, rotated 12.8. */
  image: 13,
  /** Allocating, clearing and rasterising an empty buffer, and drawing it on its parent: measured 3.1. */
  buffer: 3.5,
  /** Applying a mask to a buffer: measured 6.6. */
  mask: 7,
  /** The first function of a filter takes 7.4, each further one 4 to 5.5. */
  filterBase: 3,
  filterFunction: 5.5,
  /** A shadow without a blur: measured 2.9. */
  sharpShadow: 3.5,
} as const;

/**
 * Returns the nanoseconds per pixel of a blur or a blurred shadow by its standard deviation in device pixels, without
 * its buffers. Below 2 the engine convolves with a kernel that grows: measured 27 at 0.3, 39 at 1, 57 at 1.9. From 2 to
 * 135 the engine adds up boxes: measured 5 to 14. Above 135 it uses a smaller image: 24 to 55 at 150 and 200, 14 to 18
 * beyond 320.
 */
export function blurPixelNs(deviationPx: number): number {
  if (deviationPx === 0) return 0;
  if (deviationPx < 2) return 28 + 16 * deviationPx;
  if (deviationPx <= 64) return 15;
  if (deviationPx <= 135) return 18;
  return deviationPx <= 320 ? 50 : 25;
}

/** Nanoseconds per pixel that a blend mode adds: 2.3 for plain modes, 5.5 to 10 for the listed modes. */
export const plainBlendNs = 2.5;
export const expensiveBlendNs: ReadonlyMap<string, number> = new Map([
  ['normal', 0],
  ['color-dodge', 6],
  ['color-burn', 6],
  ['soft-light', 9],
  ['hue', 10],
  ['saturation', 10],
  ['color', 10],
  ['luminosity', 10],
]);

/**
 * The scan converter walks each edge of a path through each row that it crosses, and keeps the edges of a
 * row in order. An edge in a row takes 60 to 250 ns, plus 0.03 to 0.12 ns for each other edge of the row: 10,000
 * dashes of width 1200 take 38 s, 1,600 edges at random 65 ms.
 */
export const edgeRowNs = 120;
export const edgePairNs = 0.12;

/**
 * Nanoseconds of clipping with a path, per pair of its segments that may cross, times its segments: the engine
 * intersects the whole path with the previous clip, also outside of the canvas. 800 random lines take 0.9 s, 1,600 take
 * 7 s; 800 quadratic curves 4.7 s, 400 cubic curves 2 s.
 */
export const clipPairNs = { line: 8, quadratic: 42, cubic: 130 } as const;
/**
 * Nanoseconds per segment of a clip path, times the fourth power of the number of segments that run along it. A rhombus
 * drawn 16 times takes 50 ms, 32 times 1.2 s, and 64 times 20 s; an upright square takes a tenth of this.
 */
export const coincidentNs = 12;
/** Nanoseconds of a run of a clip: for a filled area, and for small letters, which only look up the position. */
export const clippedRunNs = 80;
export const clippedLetterRunNs = 5;

/** Microseconds of an item, as all values below unless they say nanoseconds. */
export const itemUs = 5;
/** A canvas of any size: measured 110 with its drawing. */
export const bufferUs = 160;
/** One letter from the engine's cache of masks, 2.5 to 4.9. */
export const letterUs = 5;
/** A color emoji is drawn as its shapes: measured 117. */
export const emojiUs = 120;
/** Nanoseconds of a segment of a letter's outline in a row, of a letter beyond 256 pixels and of a stroke: 4 to 18. */
export const letterEdgeRowNs = 20;
/** Stroking a segment of a letter beyond 256 pixels and clipping it to the canvas. */
export const letterEdgeUs = 5;
/** The same for a letter with a mask, at any size: U+FDFD has 925 segments. */
export const maskEdgeUs = 1;
/** Segment in the mask of a letter of an organization's font: 300 letters of 6,000 segments take 230 ms. */
export const organizationMaskEdgeUs = 0.2;
/**
 * Each segment of a stroked letter, times the square of the width of its stroke in device pixels, on a canvas of any
 * size: the outline of a wide stroke crosses itself. At 600 pixels a segment takes 5 to 20 µs, at 1,200 20 to 85, at
 * 2,400 60 to 380 with round corners and 30 to 550 with mitered corners.
 */
export const strokedEdgeUs = 1e-4;
/** Nanoseconds of a pixel of a stroked letter: 0.9 to 1.2. */
export const strokedPixelNs = 1.6;
/** A font at a size that was not drawn before, and each further family of its list. */
export const newFontUs = 1600;
export const fontFamilyUs = 500;
/** A dash or a gap, without its edges. */
export const dashUs = 1.5;
/** Parsing a segment of path data and reading it from the engine: measured 0.9 to 1.5. */
export const segmentUs = 2;
/** Measuring the length of a segment: 1 to 4. */
export const segmentLengthUs = 5;
/** A position on a path with its direction, or one point of a stripe. */
export const pathPointUs = 3;
/** One glyph whose outline is drawn instead of the engine's letter: 40 segments. */
export const outlineGlyphUs = 40;
/** A character of path data, a tenth of a segment: 14,000 times U+FDFD, of 925 segments, take 1.2 s and 1.4 GB. */
export const outlineCharacterUs = 0.1;
