/** Measures the contrast between letters and their background, for reports of previews and proofs of rows. */
import { toRgba } from '#wire/color.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import { lettersOf } from './contrast-letters.ts';
import type { Letters, TextContent } from './contrast-letters.ts';
import { findTextGrounds } from './contrast-texts.ts';
import type { AloneText, PlacedText } from './contrast-texts.ts';
import type { DisplayItem, DisplayList } from './display-list.ts';
import type { Pixels } from './pixels.ts';

/** Share of sample points that may have less contrast than the reported value: a speck in a photo hides no letter. */
const worstShare = 0.1;

/** WCAG 2.2, 1.4.3: 4.5 to 1, and 3 to 1 for letters of 18 pt, or of 14 pt when bold. */
const contrastMinSmall = 4.5;
const contrastMinLarge = 3;
const largePx = 24;
const largeBoldPx = 18.5;
const boldPattern = /^(?:italic )?[7-9]00 /;

/** Paints the grounds behind letters, at one pixel per design pixel. */
export interface Grounds {
  /**
   * Returns the pixels of `below`, which the caller gives back; undefined if no more grounds can be painted. `name`
   * identifies a ground within its image.
   */
  take(below: DisplayList, name: string): Promise<Pixels | undefined>;
  giveBack(pixels: Pixels): void;
}

/** Name of the common ground; no layer has this id. */
const sharedGround = '';

/** Contrasts of text layers by their ids, and a warning for each below the minimum of WCAG 2.2. */
interface Contrasts {
  contrasts: Map<string, number>;
  warnings: RenderWarning[];
}

/** Returns the contrast of each text layer with letters of plain colours, also in groups, in stacks and on paths. */
export async function measureContrasts(list: DisplayList, grounds: Grounds): Promise<Contrasts> {
  const found: Contrasts = { contrasts: new Map(), warnings: [] };
  const { shared, ground, alone } = findTextGrounds(list);
  const colored = shared.filter(hasColor);
  const common = colored.length === 0 ? undefined : await grounds.take(ground, sharedGround);
  if (common !== undefined) {
    for (const text of colored) addContrast(text, knownContrasts(text, common), found);
    grounds.giveBack(common);
  }
  for (const each of alone.filter(({ text }) => hasColor(text))) {
    const contrasts = await measureAlone(each, grounds);
    if (contrasts === undefined) break;
    addContrast(each.text, contrasts, found);
  }
  return found;
}

/** Returns undefined if no more grounds can be painted. */
async function measureAlone(
  { text, ground, filledWith }: AloneText,
  grounds: Grounds,
): Promise<readonly LettersContrast[] | undefined> {
  const { layer } = text.item;
  const behind = await grounds.take(ground, layer);
  if (behind === undefined) return undefined;
  try {
    if (filledWith === undefined) return knownContrasts(text, behind);
    const contrasts: LettersContrast[] = [];
    const all = lettersOf(text.content);
    for (const fill of new Set(all.map((each) => each.fill))) {
      const painted = await grounds.take(filledWith(fill), `${layer} ${fill}`);
      if (painted === undefined) return undefined;
      for (const letters of all.filter((each) => each.fill === fill)) {
        contrasts.push({ letters, contrast: contrastOfLetters(letters, text, behind, painted) });
      }
      grounds.giveBack(painted);
    }
    return contrasts;
  } finally {
    grounds.giveBack(behind);
  }
}

function hasColor({ content }: PlacedText): boolean {
  return lettersOf(content).length > 0;
}

function addContrast(
  { item, content }: PlacedText,
  worst: readonly LettersContrast[],
  { contrasts, warnings }: Contrasts,
): void {
  const least = Math.min(...worst.map(({ contrast }) => contrast));
  if (!Number.isFinite(least)) return;
  contrasts.set(item.layer, Math.round(least * 100) / 100);
  const low = worst.find(({ letters, contrast }) => contrast < neededContrast(letters));
  if (low === undefined || hasOutline(content)) return;
  const contrastMin = neededContrast(low.letters);
  const detail = `the letters stand out from their ground by ${low.contrast.toFixed(1)} to 1, at least ${contrastMin} to 1 reads well`;
  warnings.push({ code: 'LOW_CONTRAST', layer: item.layer, detail, contrastMin });
}

/** An outline makes letters readable on any ground. */
function hasOutline({ stroke }: TextContent): boolean {
  return stroke !== undefined;
}

function neededContrast({ font }: Letters): number {
  const isLarge = font.size >= (boldPattern.test(font.css) ? largeBoldPx : largePx);
  return isLarge ? contrastMinLarge : contrastMinSmall;
}

type Point = readonly [number, number];

interface LettersContrast {
  letters: Letters;
  contrast: number;
}

/** Contrasts by ground and item: most texts and grounds of a proof are those of the previous row. */
const known = new WeakMap<Pixels, WeakMap<DisplayItem, LettersContrast[]>>();

function knownContrasts(text: PlacedText, ground: Pixels): readonly LettersContrast[] {
  const ofGround = known.get(ground) ?? new WeakMap<DisplayItem, LettersContrast[]>();
  known.set(ground, ofGround);
  const { item, content } = text;
  let contrasts = ofGround.get(item);
  if (contrasts === undefined) {
    contrasts = lettersOf(content).map((letters) => ({
      letters,
      contrast: contrastOfLetters(letters, text, ground),
    }));
    ofGround.set(item, contrasts);
  }
  return contrasts;
}

/** Returns Infinity for letters outside of the canvas. `painted` has their colour if an effect changes it. */
function contrastOfLetters(
  { fill, points }: Letters,
  { item, groups }: PlacedText,
  ground: Pixels,
  painted?: Pixels,
): number {
  const color = toRgba(fill);
  const opacity = color[3] * item.opacity;
  const opaque = luminance(color[0], color[1], color[2]);
  const isTurned = item.rotation !== 0 || groups.some(({ rotation }) => rotation !== 0);
  const found = new Float64Array(points.length);
  let count = 0;
  for (const point of points) {
    const [x, y] = isTurned ? groups.reduceRight(rotate, rotate(point, item)) : point;
    const start = offsetAt(ground, x, y);
    if (start === undefined) continue;
    let letter = opaque;
    if (painted !== undefined) letter = mixedLuminance(color, 0, painted.data, start);
    else if (opacity < 1) letter = mixedLuminance(color, opacity, ground.data, start);
    found[count] = contrastOf(letter, mixedLuminance(color, 0, ground.data, start));
    count += 1;
  }
  return found.subarray(0, count).toSorted()[Math.floor(count * worstShare)] ?? Infinity;
}

function rotate([x, y]: Point, { box, rotation }: DisplayItem): Point {
  if (rotation === 0) return [x, y];
  const angle = (rotation * Math.PI) / 180;
  const [centerX, centerY] = [box.x + box.width / 2, box.y + box.height / 2];
  const [dx, dy] = [x - centerX, y - centerY];
  return [
    centerX + dx * Math.cos(angle) - dy * Math.sin(angle),
    centerY + dx * Math.sin(angle) + dy * Math.cos(angle),
  ];
}

/** Returns the offset of a pixel in the data; undefined outside of the image. */
function offsetAt({ widthPx, heightPx }: Pixels, x: number, y: number): number | undefined {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (column < 0 || row < 0 || column >= widthPx || row >= heightPx) return undefined;
  return (row * widthPx + column) * 4;
}

/** Returns the luminance of a colour of this opacity over a pixel, which is blended with white. */
function mixedLuminance(
  color: readonly [number, number, number, number],
  opacity: number,
  data: Pixels['data'],
  start: number,
): number {
  const alpha = (data[start + 3] ?? 0) / 255;
  const white = 255 * (1 - alpha);
  const mix = (index: 0 | 1 | 2): number =>
    color[index] * opacity + ((data[start + index] ?? 0) * alpha + white) * (1 - opacity);
  return luminance(mix(0), mix(1), mix(2));
}

/** Relative luminance (WCAG 2.2) of channels from 0 to 255. */
export function luminance(red: number, green: number, blue: number): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Linear light of integer channel values, precomputed: a proof samples a thousand points per row. */
export const linearLight = Float64Array.from({ length: 256 }, (_, channel) => toLinear(channel));

function linear(channel: number): number {
  return linearLight[channel] ?? toLinear(channel);
}

function toLinear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function contrastOf(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
