/** Refuses encodes that would end after the deadline of their render: none can be interrupted. */
import type { AnimatedFormat } from '#language/formats.ts';
import { encodeMs, frameEncodeMs } from '#language/limits/image-costs.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import type { Pixels } from '../pixels.ts';
import { leftMs, requireMs } from '../work-limit.ts';

/**
 * Share of an encode's upper bound that any content takes, and the addition for each unit of `roughness`: photographs
 * have 0.03, noise 0.33.
 */
const smoothShare = 0.4;
const roughShare = 2.5;
/** Rows sampled for `roughness`. */
const sampledRowsMax = 64;

/** Throws `TooExpensiveError` if the encode of an image would end after the deadline of the render. */
export function requireEncodable(pixels: Pixels, format: RenderFormat, quality: number): void {
  const mostMs = encodeMs(format, pixels.widthPx, pixels.heightPx, quality);
  requireContent(pixels, mostMs, `encode as ${format} at quality ${quality}`);
}

/** The same for the next frame of an animation. */
export function requireFrame(pixels: Pixels, format: AnimatedFormat, quality: number): void {
  const mostMs = frameEncodeMs(format, pixels.widthPx * pixels.heightPx, quality);
  requireContent(pixels, mostMs, `encode its next frame as ${format}`);
}

function requireContent(pixels: Pixels, mostMs: number, operation: string): void {
  if (mostMs <= leftMs()) return;
  requireMs(mostMs * Math.min(1, smoothShare + roughShare * roughness(pixels)), operation);
}

/**
 * Mean difference of neighbouring pixels in all channels of some rows, 0 to 1. Chance chooses the rows: an image cannot
 * be smooth just where it is looked at.
 */
function roughness({ data, widthPx, heightPx }: Pixels): number {
  const rows = Math.min(sampledRowsMax, heightPx);
  let sum = 0;
  for (let row = 0; row < rows; row += 1) {
    const start = Math.floor(((row + Math.random()) * heightPx) / rows) * widthPx * 4;
    for (let at = start + 4; at < start + widthPx * 4; at += 1) {
      sum += Math.abs((data[at] ?? 0) - (data[at - 4] ?? 0));
    }
  }
  return sum / (rows * widthPx * 4 * 255);
}
