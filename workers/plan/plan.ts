/** A picture of a template kept ready, painted and encoded in bands: a render of other values paints and encodes only what differs. */
import type { RenderFormat } from '#shared/render-job.ts';
import { toDrawable } from '../assets/drawable.ts';
import type { DisplayItem, DisplayList, Rect } from '../display-list.ts';
import type { Band, BandedImage } from '../encode/banded-image.ts';
import { createJpegBands } from '../encode/jpeg-bands.ts';
import { createPngBands } from '../encode/png-image.ts';
import { isOpaque, toRgb } from '../encode/rgb.ts';
import type { Drawables } from '../load-drawables.ts';
import type { PaintBase, Pixels } from '../paint/paint.ts';
import { paint, paintRegions } from '../paint/paint.ts';
import type { Damage } from './damage.ts';
import { findDamage } from './damage.ts';

/** Above this part of the picture's rows, encoding it whole is cheaper than band by band. */
const damagedRowsMax = 0.6;

/** Formats that can be spliced from bands. */
export type BandedFormat = Extract<RenderFormat, 'jpeg' | 'png'>;

/** What is kept of one picture of a template version at one scale, format and quality. */
export interface Plan {
  list: DisplayList;
  scale: number;
  widthPx: number;
  heightPx: number;
  /** The picture's rows in the form that the bands are encoded from. */
  rows: Uint8Array;
  image: BandedImage;
  /** The rows have no alpha and the format has: a see-through pixel needs a whole render. */
  mustBeOpaque: boolean;
  /** The picture of the items before `below`, which renders so far did not change; made when first wanted. */
  base?: PaintBase;
  sizeBytes: number;
}

/** What a render over a plan will do: which bands are encoded anew, and what is painted in them. */
export interface Patch {
  damage: Damage;
  /** Stretches of neighbouring bands, from the first to before the end. */
  stretches: { first: number; end: number }[];
  /** The items that must be painted, those of a base to be made included. */
  items: DisplayItem[];
}

/** Whether renders of this format can be spliced from bands. */
export function isBanded(format: RenderFormat): format is BandedFormat {
  return format === 'jpeg' || format === 'png';
}

/**
 * Encodes a painted picture in bands and keeps it for the renders to come. The pixels belong to the
 * plan from now on.
 */
export async function createPlan(
  list: DisplayList,
  scale: number,
  { data, widthPx, heightPx }: Pixels,
  format: BandedFormat,
  quality: number,
): Promise<Plan> {
  const opaque = format === 'jpeg' || isOpaque(data);
  const rows = opaque ? toRgb(data) : data;
  const image =
    format === 'jpeg'
      ? await createJpegBands(rows, widthPx, heightPx, quality)
      : createPngBands({ data: rows, widthPx, heightPx, channels: opaque ? 3 : 4 });
  const mustBeOpaque = format === 'png' && opaque;
  const baseBytes = widthPx * heightPx * 4;
  const sizeBytes = rows.length + image.sizeBytes + baseBytes;
  return { list, scale, widthPx, heightPx, rows, image, mustBeOpaque, sizeBytes };
}

/**
 * How `list`, a list of the plan's template with other values, comes from the plan. Undefined when so
 * much differs that a whole render is cheaper.
 */
export function findPatch(plan: Plan, list: DisplayList): Patch | undefined {
  const { image, scale, widthPx, heightPx } = plan;
  const damage = findDamage(plan.list, list, scale, widthPx, heightPx);
  if (damage === undefined) return undefined;
  const stretches = toStretches(damage.regions, image.bandRows, heightPx);
  const bands = stretches.reduce((sum, { first, end }) => sum + end - first, 0);
  if (bands * image.bandRows > heightPx * damagedRowsMax) return undefined;
  const needsBase = plan.base === undefined || plan.base.below > damage.firstItem;
  const items = needsBase ? list.items : list.items.slice(plan.base?.below);
  return { damage, stretches, items: damage.regions.length === 0 ? [] : items };
}

/** A file that was spliced from a plan. */
export interface PatchedFile {
  bytes: Uint8Array<ArrayBuffer>;
  /** Milliseconds spent on painting; the rest went into encoding. */
  paintMs: number;
}

/**
 * The file of `list`: only the damage is painted, over the plan's picture, and only the bands it
 * crosses are encoded. `drawables` holds the pictures of the patch's items. Undefined when the plan's
 * RGB rows cannot hold a see-through result. The caller owns the bytes.
 */
export async function renderPatch(
  plan: Plan,
  { damage, stretches }: Patch,
  list: DisplayList,
  drawables: Drawables,
): Promise<PatchedFile | undefined> {
  const { image, widthPx, heightPx } = plan;
  const { regions } = damage;
  const started = performance.now();
  const base = regions.length === 0 ? undefined : ensureBase(plan, damage, list, drawables);
  const painted = base && paintRegions(list, drawables, plan.scale, regions, base);
  const paintMs = performance.now() - started;
  if (plan.mustBeOpaque && painted?.some(({ data }) => !isOpaque(data))) return undefined;
  const changed = new Map<number, Band>();
  for (const { first, end } of stretches) {
    const top = first * image.bandRows;
    const bottom = Math.min(heightPx, end * image.bandRows);
    const stride = widthPx * image.channels;
    const rows = plan.rows.slice(top * stride, bottom * stride);
    for (const [index, region] of regions.entries()) {
      const pixels = painted?.[index];
      if (pixels === undefined || region.y < top || region.y >= bottom) continue;
      copyRegion(rows, plan, region, pixels, top);
    }
    const bands = await image.encodeBands(rows, first);
    for (const [index, band] of bands.entries()) changed.set(first + index, band);
  }
  return { bytes: image.toFile(changed), paintMs };
}

/** The picture of what is the same in the plan and the list, below the first item that differs. */
function ensureBase(
  plan: Plan,
  { firstItem }: Damage,
  list: DisplayList,
  drawables: Drawables,
): PaintBase {
  if (plan.base !== undefined && plan.base.below <= firstItem) return plan.base;
  plan.base?.drawable.canvas.dispose();
  const items = list.items.slice(0, firstItem);
  const { data, widthPx, heightPx } = paint({ ...list, items }, drawables, plan.scale);
  plan.base = { below: firstItem, drawable: toDrawable(data, widthPx, heightPx) };
  return plan.base;
}

/** Stretches of neighbouring bands that regions cross, first to before end, from the top. */
function toStretches(
  regions: readonly Rect[],
  bandRows: number,
  heightPx: number,
): { first: number; end: number }[] {
  const stretches: { first: number; end: number }[] = [];
  for (const { y, height } of regions.toSorted((a, b) => a.y - b.y)) {
    const first = Math.floor(y / bandRows);
    const end = Math.ceil(Math.min(heightPx, y + height) / bandRows);
    const last = stretches.at(-1);
    if (last !== undefined && first <= last.end) last.end = Math.max(last.end, end);
    else stretches.push({ first, end });
  }
  return stretches;
}

/** Copies painted pixels into rows that begin at `top`. */
function copyRegion(
  rows: Uint8Array,
  { widthPx, image: { channels } }: Plan,
  region: Rect,
  { data }: Pixels,
  top: number,
): void {
  const source = channels === 4 ? data : toRgb(data);
  const width = region.width * channels;
  for (let row = 0; row < region.height; row += 1) {
    const target = ((region.y - top + row) * widthPx + region.x) * channels;
    rows.set(source.subarray(row * width, (row + 1) * width), target);
  }
}
