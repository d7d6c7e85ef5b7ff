/** Rejects encodes that would end after the deadline of their render, because an encode cannot be interrupted. */
import type { AnimatedFormat } from '#language/formats.ts';
import { encodeMs, frameEncodeMs } from '#language/limits/image-costs.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import type { Pixels } from '../pixels.ts';
import { leftMs, requireMs } from '../work-limit.ts';

/**
 * Share of an encode's upper bound that any content takes, and the addition per unit of `roughness`. The roughness
 * of photographs is 0.03, of noise 0.33.
 */
const smoothShare = 0.4;
const roughShare = 2.5;
/** Rows sampled for `roughness` and `alphaShare`. */
const sampledRowsMax = 64;
/**
 * Time that alpha adds to a WebP if it differs from pixel to pixel, in ms per megapixel: alpha is coded without loss.
 * Measured with enlarged noise, which takes three times as long as noise in single pixels.
 */
const alphaWebpMs = 270;

/**
 * Upper bound of the time of a hurried WebP, as a share of the time at the usual effort: photographs take 0.6, noise
 * 0.74. Files of photographs are a third larger, files of noise are not.
 */
const hurriedWebpShare = 0.75;

/**
 * Whether an image must be encoded with little effort to end before the deadline of the render. Throws
 * `TooExpensiveError` if it would end later even then.
 */
export function mustHurry(pixels: Pixels, format: RenderFormat, quality: number): boolean {
  const mostMs = encodeMs(format, pixels.widthPx, pixels.heightPx, quality);
  const operation = `encode as ${format} at quality ${quality}`;
  if (format !== 'webp') {
    requireContent(pixels, format, mostMs, operation);
    return false;
  }
  if (contentMs(pixels, format, mostMs) <= leftMs()) return false;
  requireContent(pixels, format, mostMs * hurriedWebpShare, operation);
  return true;
}

/** Throws `TooExpensiveError` if the next frame of an animation would be encoded after the deadline. */
export function requireFrame(pixels: Pixels, format: AnimatedFormat, quality: number): void {
  const mostMs = frameEncodeMs(format, pixels.widthPx * pixels.heightPx, quality);
  requireContent(pixels, format, mostMs, `encode its next frame as ${format}`);
}

function requireContent(
  pixels: Pixels,
  format: RenderFormat,
  mostMs: number,
  operation: string,
): void {
  const ms = contentMs(pixels, format, mostMs);
  if (ms > leftMs()) requireMs(ms, operation);
}

/** Estimates an encode in ms: its upper bound if this ends before the deadline; otherwise a share by its content. */
function contentMs(pixels: Pixels, format: RenderFormat, mostMs: number): number {
  const alphaMs = format === 'webp' ? (pixels.widthPx * pixels.heightPx * alphaWebpMs) / 1e6 : 0;
  if (mostMs + alphaMs <= leftMs()) return mostMs + alphaMs;
  const ms = mostMs * Math.min(1, smoothShare + roughShare * roughness(pixels));
  return alphaMs === 0 ? ms : ms + alphaMs * alphaShare(pixels);
}

/** Returns the mean difference of neighbouring pixels in all channels of some rows, 0 to 1. */
function roughness(pixels: Pixels): number {
  const { data, widthPx } = pixels;
  const starts = sampledRows(pixels);
  let sum = 0;
  for (const start of starts) {
    for (let at = start + 4; at < start + widthPx * 4; at += 1) {
      sum += Math.abs((data[at] ?? 0) - (data[at - 4] ?? 0));
    }
  }
  return sum / (starts.length * widthPx * 4 * 255);
}

/** Returns the share of pixels in some rows whose alpha differs from that of the pixels to the left and above. */
function alphaShare(pixels: Pixels): number {
  const { data, widthPx } = pixels;
  const starts = sampledRows(pixels);
  let count = 0;
  for (const start of starts) {
    for (let at = start + 7; at < start + widthPx * 4; at += 4) {
      const alpha = data[at];
      if (alpha !== data[at - 4] && alpha !== data[at - widthPx * 4]) count += 1;
    }
  }
  return count / (starts.length * widthPx);
}

/** Returns the offsets of random rows, so that no image can be smooth only in the sampled rows. */
function sampledRows({ widthPx, heightPx }: Pixels): number[] {
  const rows = Math.min(sampledRowsMax, heightPx);
  return Array.from(
    { length: rows },
    (_, row) => Math.floor(((row + Math.random()) * heightPx) / rows) * widthPx * 4,
  );
}
