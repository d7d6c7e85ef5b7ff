/** Makes base renders: the template with a job's images and its default texts, painted and encoded in bands. */
import { defaultText } from '#language/values/list-value.ts';
import type { BaseRenderFigures, RenderJob, RenderWarning } from '#wire/render-job.ts';
import { freeDrawables } from '../assets/drawable-cache.ts';
import { registerOrganizationFonts } from '../assets/organization-fonts.ts';
import { bindScene, parseTemplate } from '../bind-scene.ts';
import { decodedShare, decodeSources } from '../decode-sources.ts';
import type { JobFiles } from '../decode-sources.ts';
import type { DisplayList } from '../display-list.ts';
import type { FrameItems } from '../layout/item-cache.ts';
import { layoutScene } from '../layout/layout.ts';
import { paintCost } from '../paint/cost/paint-cost.ts';
import { paint } from '../paint/paint.ts';
import { imageSize } from '../display-list.ts';
import { leftMs, withWorkShare } from '../work-limit.ts';
import { findBaseRender, keepBaseRender, keyWorthMaking, partKey } from './base-render-cache.ts';
import type { BaseRenderKeys } from './base-render-cache.ts';
import { createBaseRender, isBanded } from './base-render.ts';
import type { BaseRender } from './base-render.ts';
import { isShared } from '../shared/parts.ts';
import { claim, release } from '../shared/requests.ts';

/** Maximum CPU time to make a base render; 1200 × 630 takes 40 to 100 ms. A slower image has no base render. */
const makeMsMax = 500;
/** Maximum device pixels of a base render; 1200 × 630 at scale 3 has 6.8 million. */
const pixelsMax = 8 * 1024 * 1024;
/** A job that makes a base render paints three times: a job above this estimate is rendered from scratch. */
const paintUsMax = 250_000;

/** A job with its display list and its source files. */
export interface LaidOutJob {
  job: RenderJob;
  list: DisplayList;
  files: JobFiles;
  /** The layout of the first frame of an animation. */
  frameItems?: FrameItems | undefined;
}

/** Whether a job may use a base render, which shows all layers and is a still image of pixels. */
export function mayUseBaseRender({ job, list, files }: LaidOutJob, paintUs: number): boolean {
  if (job.layers !== undefined || job.pdf === true || job.animation !== undefined) return false;
  // Bands and regions are whole design pixels.
  if (job.scale < 1) return false;
  if (paintUs > paintUsMax || !isBanded(job.format)) return false;
  const { widthPx, heightPx } = imageSize(list, job.scale);
  if (widthPx * heightPx > pixelsMax) return false;
  // A further image would change the size at which all images are decoded.
  return decodedShare(list, files.images, job.scale) >= 1;
}

/** The base render, undefined if a part of it cannot be drawn, and figures of making it. */
export interface MadeBaseRender {
  base: BaseRender | undefined;
  figures: BaseRenderFigures;
}

/** Makes a base render for a key of the job if one is worth it, and keeps it; undefined if no key is. */
export async function makeBaseRender(
  keys: BaseRenderKeys,
  { job, files }: LaidOutJob,
): Promise<MadeBaseRender | undefined> {
  const { makesBaseRender: isWanted = false } = job;
  const key = keyWorthMaking(keys, isWanted !== false);
  if (key === undefined || !claim(partKey(key))) return undefined;
  const startedMs = performance.now();
  const [, general] = keys;
  const kind = key === general ? 'general' : 'specific';
  // Most of the time is reserved for the image, which is rendered from scratch if the base render fails.
  const shareMs = Math.min(makeMsMax, leftMs() / 4);
  let isKnown = false;
  try {
    const base = await withWorkShare(shareMs, () => renderDefaults(job, files, kind));
    freeDrawables();
    isKnown = isWanted !== 'unkept';
    const isKept = isKnown && keepBaseRender(key, base);
    const figures = { isKept, buildMs: performance.now() - startedMs };
    return { base: isKept ? findBaseRender(key) : base, figures };
  } finally {
    // The host ends the claim when the other threads will know what is kept.
    if (!isShared || !isKnown) release(partKey(key));
  }
}

/** Values of a job in its base render besides images: none (`general`), or all except texts (`specific`). */
type BaseRenderKind = 'general' | 'specific';

/** Renders from scratch with default values; returns undefined if a part cannot be drawn or costs too much. */
async function renderDefaults(
  job: RenderJob,
  files: JobFiles,
  kind: BaseRenderKind,
): Promise<BaseRender | undefined> {
  const { format, quality, scale } = job;
  if (!isBanded(format)) return undefined;
  const template = parseTemplate(job.templateKey, job.templateJson);
  const families = registerOrganizationFonts(job.fonts);
  const scene = bindScene(template, withDefaults(job, kind), families, job);
  const { displayList: list } = layoutScene(scene, files.images);
  // The defaults may cost more than the job's values.
  if (paintCost(list, scale).us > makeMsMax * 1000) return undefined;
  // The defaults may show more images than the job, and each would then be decoded smaller than from scratch.
  if (decodedShare(list, files.images, scale) < 1) return undefined;
  const warnings: RenderWarning[] = [];
  const drawables = await decodeSources(list, files, scale, warnings);
  // Every render that draws the layer must warn; over a base render it would not.
  if (warnings.length > 0) return undefined;
  return createBaseRender(list, scale, paint(list, drawables, scale), format, quality);
}

/**
 * Returns the job's values with the default of every text variable. A general base render has all other defaults too,
 * except images. A long name or a colour of the first job must not enlarge the damage of all later jobs. An image that
 * only the defaults show is left out, because incremental rendering must be exact for any image of the template.
 */
function withDefaults(job: RenderJob, kind: BaseRenderKind): Map<string, string> {
  const { variables } = parseTemplate(job.templateKey, job.templateJson);
  const values = new Map(job.values);
  for (const variable of variables) {
    const { name, type } = variable;
    if (type === 'text' || (kind === 'general' && type !== 'image')) {
      values.set(name, defaultText(variable));
    }
  }
  return values;
}
