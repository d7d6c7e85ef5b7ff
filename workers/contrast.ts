/** Measures the contrast between letters and their background, for the report of a preview. */
import { toRgba } from '#wire/color.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import type { DisplayContent, DisplayItem, DisplayList, TextRun } from './display-list.ts';
import type { Drawables } from './decode-sources.ts';
import { paint } from './paint/paint.ts';
import { paintCost } from './paint/cost/paint-cost.ts';
import { freeBytes } from './pixels.ts';
import type { Pixels } from './pixels.ts';

type TextContent = DisplayContent & { kind: 'text' };

/** Text layers that are measured: each requires painting everything below it. */
const paintingsMax = 12;
/** Estimated CPU time of all these paintings. */
const paintingUsMax = 300_000;
/** Columns of sample points across a run; `rows` are the points in each. */
const columns = 24;
const rows = 4;
/** Share of the background that may have less contrast than the reported value: a speck in a photo hides no letter. */
const worstShare = 0.1;

/** WCAG 2.2, 1.4.3: 4.5 to 1, and 3 to 1 for letters of 18 pt, or of 14 pt when bold. */
const contrastMinSmall = 4.5;
const contrastMinLarge = 3;
const largePx = 24;
const largeBoldPx = 18.5;
const boldPattern = /^(?:italic )?[7-9]00 /;

/**
 * Returns the contrast of each text layer of the canvas whose letters have one colour, by layer id, and a warning for
 * each below the minimum of WCAG 2.2. Texts on paths and in groups are not measured, nor are texts beyond
 * `paintingsMax` or `paintingUsMax`.
 */
export function measureContrasts(
  list: DisplayList,
  drawables: Drawables,
): { contrasts: Map<string, number>; warnings: RenderWarning[] } {
  const contrasts = new Map<string, number>();
  const warnings: RenderWarning[] = [];
  let [paintings, us] = [0, 0];
  for (const [index, item] of list.items.entries()) {
    if (item.content.kind !== 'text' || item.opacity === 0) continue;
    const colored = item.content.runs.filter(({ fill }) => typeof fill === 'string');
    if (colored.length === 0) continue;
    // The background that the layer itself paints behind its letters counts too.
    const bare = { ...item, content: { ...item.content, runs: [], lines: [] }, shadows: [] };
    const items = [...list.items.slice(0, index), bare];
    const below = { ...list, items };
    paintings += 1;
    us += paintCost(below, 1, paintingUsMax).us;
    if (paintings > paintingsMax || us > paintingUsMax) break;
    const ground = paint(below, drawables, 1);
    const worst = colored.map((run) => ({ run, contrast: runContrast(run, item, ground) }));
    freeBytes(ground.data);
    const least = Math.min(...worst.map(({ contrast }) => contrast));
    if (!Number.isFinite(least)) continue;
    contrasts.set(item.layer, Math.round(least * 100) / 100);
    const low = worst.find(({ run, contrast }) => contrast < neededContrast(run));
    if (low === undefined || hasOutline(item.content)) continue;
    const contrastMin = neededContrast(low.run);
    const detail = `the letters stand out from their ground by ${low.contrast.toFixed(1)} to 1, at least ${contrastMin} to 1 reads well`;
    warnings.push({ code: 'LOW_CONTRAST', layer: item.layer, detail, contrastMin });
  }
  return { contrasts, warnings };
}

/** Letters with an outline are readable by it. */
function hasOutline({ stroke }: TextContent): boolean {
  return stroke !== undefined;
}

function neededContrast({ font }: TextRun): number {
  const isLarge = font.size >= (boldPattern.test(font.css) ? largeBoldPx : largePx);
  return isLarge ? contrastMinLarge : contrastMinSmall;
}

/** Infinity for a run outside of the canvas. */
function runContrast(run: TextRun, item: DisplayItem, ground: Pixels): number {
  const [red, green, blue, alpha] = toRgba(run.fill as string);
  const opacity = alpha * item.opacity;
  const found: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const x = run.x + (run.width * (column + 0.5)) / columns;
      // Most of a letter is between the baseline and the height of capitals.
      const y = run.y - run.font.size * 0.7 * ((row + 0.5) / rows);
      const behind = pixelAt(ground, rotate(item, x, y));
      if (behind === undefined) continue;
      const letter = [red, green, blue].map(
        (channel, index) => channel * opacity + (behind[index] ?? 0) * (1 - opacity),
      );
      found.push(contrastOf(luminance(letter), luminance(behind)));
    }
  }
  found.sort((a, b) => a - b);
  return found[Math.floor(found.length * worstShare)] ?? Infinity;
}

function rotate({ box, rotation }: DisplayItem, x: number, y: number): [number, number] {
  if (rotation === 0) return [x, y];
  const angle = (rotation * Math.PI) / 180;
  const [centerX, centerY] = [box.x + box.width / 2, box.y + box.height / 2];
  const [dx, dy] = [x - centerX, y - centerY];
  return [
    centerX + dx * Math.cos(angle) - dy * Math.sin(angle),
    centerY + dx * Math.sin(angle) + dy * Math.cos(angle),
  ];
}

/** Red, green and blue of a pixel on white; undefined outside of the image. */
function pixelAt(
  { data, widthPx, heightPx }: Pixels,
  [x, y]: [number, number],
): number[] | undefined {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (column < 0 || row < 0 || column >= widthPx || row >= heightPx) return undefined;
  const start = (row * widthPx + column) * 4;
  const alpha = (data[start + 3] ?? 0) / 255;
  return [0, 1, 2].map((index) => (data[start + index] ?? 0) * alpha + 255 * (1 - alpha));
}

/** Relative luminance (WCAG 2.2) of channels from 0 to 255. */
function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
