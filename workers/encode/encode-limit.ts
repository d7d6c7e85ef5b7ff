/** Refuses to encode what would not be done within the time of its render: an encode cannot be interrupted. */
import { encodeMs } from '#language/limits/encode-cost.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import type { Pixels } from '../pixels.ts';
import { leftMs, requireMs } from '../work-limit.ts';

/** Share of `encodeMs` that any content takes, and how much each unit of `roughness` adds: photographs have 0.03, noise 0.33. */
const smoothShare = 0.4;
const roughShare = 2.5;
/** Rows that are looked at. */
const sampledRowsMax = 64;

/** Throws `TooExpensiveError` when the encode would end after the render's time. */
export function requireEncodable(pixels: Pixels, format: RenderFormat, quality: number): void {
  const { widthPx, heightPx } = pixels;
  const mostMs = encodeMs(format, widthPx, heightPx, quality);
  if (mostMs <= leftMs()) return;
  const expectedMs = mostMs * Math.min(1, smoothShare + roughShare * roughness(pixels));
  requireMs(expectedMs, `encode as ${format} at quality ${quality}`);
}

/** Mean difference of neighbours in all channels, 0 to 1, of some rows. */
function roughness({ data, widthPx, heightPx }: Pixels): number {
  const rows = Math.min(sampledRowsMax, heightPx);
  let sum = 0;
  for (let row = 0; row < rows; row += 1) {
    const start = Math.floor(((row + 0.5) * heightPx) / rows) * widthPx * 4;
    for (let at = start + 4; at < start + widthPx * 4; at += 1) {
      sum += Math.abs((data[at] ?? 0) - (data[at - 4] ?? 0));
    }
  }
  return sum / (rows * widthPx * 4 * 255);
}
