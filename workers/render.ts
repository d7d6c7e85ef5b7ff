/**
 * The main path of a render host: the steps of a job from its template to the bytes of an image file, one call per
 * step. `src/render/get-render.ts` is its counterpart, the path of a request.
 *
 * parse template → bind values → lay out → find damage against a base render → decode sources → paint → encode
 *
 * An image is rendered over a base render if this is cheaper, else from scratch. Both ways must give exactly the same
 * pixels.
 */
import type {
  BaseRenderFigures,
  ProvedRow,
  RenderJob,
  RenderOutcome,
  RenderTimings,
  RenderWarning,
} from '#wire/render-job.ts';
import { frameValues } from '#language/animation/frames.ts';
import { isAnimated } from '#language/formats.ts';
import { errorText } from '#wire/error-text.ts';
import { freeDrawables, withDrawables } from './assets/drawable-cache.ts';
import { registerOrganizationFonts, FontFileError } from './assets/organization-fonts.ts';
import { bindScene, parseTemplate } from './bind-scene.ts';
import { chromaOf } from './chroma.ts';
import { decodeSources, DrawingsMissing, filesOf, SourceError } from './decode-sources.ts';
import { onlyLayers, imageSize } from './display-list.ts';
import { encode, encodeAnimation } from './encode/encode.ts';
import { mustHurry } from './encode/limit.ts';
import { baseRenderKeys, keptBaseRenders } from './incremental/base-render-cache.ts';
import { damagedItems, findBaseDamage, paintDamage } from './incremental/base-render.ts';
import type { BaseRender } from './incremental/base-render.ts';
import { damageRatio } from './incremental/damage.ts';
import { makeBaseRender, mayUseBaseRender } from './incremental/make-base-render.ts';
import type { LaidOutJob } from './incremental/make-base-render.ts';
import { renderFrames } from './incremental/render-frames.ts';
import type { FrameItems } from './layout/item-cache.ts';
import { layoutScene } from './layout/layout.ts';
import { requireAffordable } from './paint/cost/limit.ts';
import { paint, paintPdf } from './paint/paint.ts';
import { freeBytes } from './pixels.ts';
import { noteFile, proveLayout } from './prove.ts';
import { reportLayers } from './report.ts';
import { endWork, jobMs, readProcessorMs, startWork, workMs } from './work-limit.ts';
import { TooExpensiveError, TooSlowError, withWorkShare } from './work-limit.ts';

/** Renders one job. Never throws: a failure is a value, because errors lose their class and fields on the wire. */
export async function render(job: RenderJob): Promise<RenderOutcome> {
  const startedMs = readProcessorMs();
  try {
    return await renderJob(job);
  } catch (error) {
    return { ...toFailure(error), cpuMs: readProcessorMs() - startedMs };
  }
}

/** Advice for animations that are too expensive. */
const fewerFrames = 'fewer frames (_frames) or a smaller _scale take less';

/** Renders one job under the limit of its CPU time. Throws the errors of `toFailure`. */
export function renderJob(job: RenderJob): Promise<RenderOutcome & { ok: true }> {
  return withDrawables(async () => {
    startWork({ spentMs: job.spentMs, msMax: job.msMax, remedy: job.animation && fewerFrames });
    try {
      const outcome = await runSteps(job);
      const cpuMs = jobMs();
      const more = job.proof?.more;
      return more === undefined
        ? { ...outcome, cpuMs }
        : { ...outcome, cpuMs, moreProofs: await proveMore(job, more) };
    } finally {
      endWork();
    }
  });
}

/** CPU time of further rows of a job, after which rows are left out: the limits of a process are far above it. */
const moreMsMax = 500;

/** Proves further rows, each with the time limit of a render. A row that fails is null: another job reports why. */
async function proveMore(
  job: RenderJob,
  more: NonNullable<RenderJob['proof']>['more'] & object,
): Promise<(ProvedRow | null)[]> {
  const proved: (ProvedRow | null)[] = [];
  let usedMs = 0;
  for (const values of more) {
    startWork();
    const row = usedMs > moreMsMax ? null : await proveOne({ ...job, values: new Map(values) });
    usedMs += workMs();
    proved.push(row);
  }
  return proved;
}

async function proveOne(job: RenderJob): Promise<ProvedRow | null> {
  try {
    const { proof, warnings, bytes } = await runSteps(job);
    return proof === undefined ? null : { proof, warnings, fileBytes: bytes.byteLength };
  } catch {
    return null;
  }
}

async function runSteps(job: RenderJob): Promise<RenderOutcome & { ok: true }> {
  const lap = startLaps();
  const template = parseTemplate(job.templateKey, job.templateJson);
  const first = job.animation?.frames[0];
  const families = registerOrganizationFonts(job.fonts);
  const scene = bindScene(template, frameValues(job, first), families, { ...job, ...first });
  const files = filesOf(job);
  const frameItems: FrameItems | undefined = job.animation && new WeakMap();
  const { displayList, warnings, degraded } = layoutScene(scene, files.images, frameItems);
  const list = job.layers === undefined ? displayList : onlyLayers(displayList, job.layers);
  const { us: paintUs } = requireAffordable(list, job.scale);
  const layoutMs = lap();

  const laidOut: LaidOutJob = { job, list, files, frameItems };
  const proof =
    job.proof && (await proveLayout(laidOut, { scene, warnings }, job.proof.fileBytesMax));
  if (proof?.needsFile === false) {
    const timings = { layoutMs, decodeMs: 0, paintMs: lap(), encodeMs: 0 };
    const bytes = new Uint8Array(0);
    const outcome = { bytes, ...imageSize(list, job.scale), degraded, warnings, timings };
    return { ok: true, ...outcome, drawn: 'plan', baseRender: {}, proof: proof.row };
  }
  const incremental = mayUseBaseRender(laidOut, paintUs) ? await renderOverBases(laidOut) : none;
  const image =
    job.animation === undefined
      ? (incremental.image ?? (await renderFromScratch(laidOut, warnings)))
      : await renderAnimation(laidOut, job.animation, warnings);

  const { bytes, drawn, decodeMs, paintMs, encodeMs } = image;
  const timings = { layoutMs, decodeMs, paintMs, encodeMs };
  const { figures: baseRender } = incremental;
  const size = imageSize(list, job.scale);
  const isDegraded = degraded || image.degraded === true;
  const outcome = { bytes, ...size, degraded: isDegraded, warnings, timings, drawn, baseRender };
  if (proof !== undefined) {
    noteFile(laidOut, bytes.byteLength);
    return { ok: true, ...outcome, proof: proof.row };
  }
  if (job.wantsReport !== true) return { ok: true, ...outcome };
  const { scale, hasContrast = true } = job;
  const report = await reportLayers({ scene, list, files, scale, warnings, hasContrast });
  return { ok: true, ...outcome, report };
}

/** An encoded image, which belongs to the caller, and the time of each stage. */
export interface RenderedImage extends Omit<RenderTimings, 'layoutMs'> {
  bytes: Uint8Array<ArrayBuffer>;
  drawn: 'whole' | 'plan';
  /** Whether a frame after the first has a layer that could not be drawn. */
  degraded?: boolean;
}

/**
 * Renders the whole display list. Throws `SourceError` and `DrawingsMissing`; adds a warning for each part that it
 * leaves out.
 */
export async function renderFromScratch(
  { job: { format, quality, scale, pdf }, list, files }: LaidOutJob,
  warnings: RenderWarning[],
): Promise<RenderedImage> {
  const lap = startLaps();
  const drawables = await decodeSources(list, files, scale, warnings);
  const decodeMs = lap();
  if (pdf === true) {
    const file = paintPdf(list, drawables, scale);
    freeDrawables();
    return { bytes: file, drawn: 'whole', decodeMs, paintMs: lap(), encodeMs: 0 };
  }
  const pixels = paint(list, drawables, scale);
  freeDrawables();
  const isHurried = mustHurry(pixels, format, quality);
  const paintMs = lap();
  const bytes = await encode(pixels, format, quality, chromaOf(list, format, quality), isHurried);
  freeBytes(pixels.data);
  return { bytes, drawn: 'whole', decodeMs, paintMs, encodeMs: lap() };
}

/** Renders the frames of an animation over their common items. Throws as `renderFromScratch`. */
async function renderAnimation(
  laidOut: LaidOutJob,
  frames: NonNullable<RenderJob['animation']>,
  warnings: RenderWarning[],
): Promise<RenderedImage> {
  const { format, quality } = laidOut.job;
  if (!isAnimated(format)) throw new RangeError(`a ${format} has one frame`);
  const { animation, degraded, decodeMs, paintMs } = await renderFrames(laidOut, frames, warnings);
  const lap = startLaps();
  const bytes = await encodeAnimation(animation, format, quality);
  return { bytes, drawn: 'whole', degraded, decodeMs, paintMs, encodeMs: lap() };
}

/**
 * Renders the difference from a base render; undefined if rendering from scratch is cheaper, or if there is a warning.
 */
async function renderOverBase(
  base: BaseRender,
  { list, files }: LaidOutJob,
): Promise<(RenderedImage & { damageRatio: number }) | undefined> {
  const lap = startLaps();
  const damage = findBaseDamage(base, list);
  if (damage === undefined) return undefined;
  const warnings: RenderWarning[] = [];
  const items = damagedItems(base, damage, list);
  const drawables = await decodeSources(list, files, base.scale, warnings, items);
  // Only a render from scratch checks every layer and reports all warnings.
  if (warnings.length > 0) return undefined;
  const decodeMs = lap();
  const patches = paintDamage(base, damage, list, drawables);
  const paintMs = lap();
  const bytes = base.image.toFile(patches);
  for (const { pixels } of patches) freeBytes(pixels.data);
  const ratio = damageRatio(damage, list, base.scale);
  return { bytes, drawn: 'plan', damageRatio: ratio, decodeMs, paintMs, encodeMs: lap() };
}

/** Maximum CPU time over one base render: a text of a 1200 × 630 banner takes 2 ms, half of it at scale 3 100 ms. */
const overBaseMsMax = 500;

/** The image rendered over a base render, if this is cheaper, and figures for the metrics. */
export interface IncrementalRender {
  image?: RenderedImage | undefined;
  figures: BaseRenderFigures;
}

const none: IncrementalRender = { figures: {} };

/** Tries the kept base renders, the closest match first, then makes one if it is worthwhile. */
export async function renderOverBases(laidOut: LaidOutJob): Promise<IncrementalRender> {
  const tryBase = async (base: BaseRender): Promise<IncrementalRender | undefined> => {
    const over = await withWorkShare(overBaseMsMax, () => renderOverBase(base, laidOut));
    freeDrawables();
    return over && { image: over, figures: { damageRatio: over.damageRatio } };
  };
  const keys = baseRenderKeys(laidOut.job);
  // A job that contains drawings runs for the second time.
  for (const base of keptBaseRenders(keys, laidOut.files.drawings.size > 0)) {
    const incremental = await tryBase(base);
    if (incremental !== undefined) return incremental;
  }
  const made = await makeBaseRender(keys, laidOut);
  if (made === undefined) return none;
  const incremental = made.base && (await tryBase(made.base));
  return { ...incremental, figures: { ...made.figures, ...incremental?.figures } };
}

/** Returns a function that returns the milliseconds since its previous call, or since the start. */
function startLaps(): () => number {
  let atMs = performance.now();
  return () => {
    const lapMs = performance.now() - atMs;
    atMs += lapMs;
    return lapMs;
  };
}

type WithoutTime<Outcome> = Outcome extends unknown ? Omit<Outcome, 'cpuMs'> : never;

function toFailure(error: unknown): WithoutTime<RenderOutcome & { ok: false }> {
  if (error instanceof DrawingsMissing) {
    const { message: detail, drawings } = error;
    return { ok: false, code: 'NEEDS_DRAWINGS', detail, drawings };
  }
  if (error instanceof SourceError) {
    const { message: detail, source, layer } = error;
    return { ok: false, code: 'BAD_IMAGE', detail, source, layer };
  }
  if (error instanceof TooExpensiveError) {
    const { message: detail, layer } = error;
    const named = layer === undefined ? {} : { layer };
    const code = error instanceof TooSlowError ? 'TOO_SLOW' : 'TOO_EXPENSIVE';
    return { ok: false, code, detail, ...named };
  }
  if (error instanceof FontFileError) {
    return { ok: false, code: 'FONT_LOST', detail: error.message };
  }
  return { ok: false, code: 'INTERNAL', detail: errorText(error) };
}
