/** Draws the SVG layers of templates, each drawing once for all who want it. */
import type { SourceImage, SvgDrawing } from '#wire/render-job.ts';
import { drawingSource } from '#wire/svg-drawing.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { SingleFlight } from '../../foundation/single-flight.ts';
import type { ImageAsker } from '../fetch/shares.ts';
import { readImageHeader } from '../sniff/sniff-image.ts';
import { createDrawingCache } from './pool.ts';
import type { KeptDrawing } from './pool.ts';
import { DrawingError } from './pool.ts';
import type { SvgRasteriser } from './pool.ts';

/** Drawings for a job, by `drawingSource`, and what is wrong with those that cannot be had. */
export interface DrawnLayers {
  images: [source: string, image: SourceImage][];
  problems: [source: string, problem: string][];
  /** CPU time of all of them, also of those that were made before: equal images have equal costs. */
  cpuMs: number;
}

/** Memory of decoding a pixel of the PNG. */
const pixelBytes = 4;

export class SvgLayers {
  readonly #rasteriser: SvgRasteriser;
  readonly #cpuMsMax: number;
  readonly #kept = createDrawingCache();
  readonly #flights = new SingleFlight<KeptDrawing>();
  /** How many callers wait for each flight. */
  readonly #callers = new Map<string, number>();

  /** `rasteriser` is its owner's to close. `svgTimeoutMs` is the CPU time that one SVG may take. */
  constructor(rasteriser: SvgRasteriser, svgTimeoutMs: number) {
    this.#rasteriser = rasteriser;
    this.#cpuMsMax = Math.min(svgTimeoutMs, templateLimits.drawingsMsMax);
  }

  /**
   * Makes the drawings that one image needs, one after the other; those that are kept count with the time that they took,
   * and those that fail with theirs.
   * `signal` ends this caller's waiting with its reason. Rejects with an `ImageError` `overloaded`, or `network` when the
   * service ends.
   */
  async draw(
    drawings: readonly SvgDrawing[],
    asker: ImageAsker,
    signal: AbortSignal,
  ): Promise<DrawnLayers> {
    const drawn: DrawnLayers = { images: [], problems: [], cpuMs: 0 };
    const bySource = new Map(drawings.map((drawing) => [drawingSource(drawing), drawing]));
    for (const [source, drawing] of bySource) {
      const cpuMsLeft = Math.max(0, this.#cpuMsMax - drawn.cpuMs);
      try {
        const { image, cpuMs } =
          this.#kept.get(source) ?? (await this.#fly(source, drawing, cpuMsLeft, asker, signal));
        drawn.cpuMs += cpuMs;
        drawn.images.push([source, image]);
      } catch (error) {
        if (!(error instanceof DrawingError)) throw error;
        if (cpuMsLeft > 0) drawn.cpuMs += error.cpuMs;
        drawn.problems.push([source, error.message.replace(/^is an SVG that /, '')]);
      }
    }
    return drawn;
  }

  /** What an asker waits for is no other's flight: it would wait, or be refused, for their crowd. */
  async #fly(
    source: string,
    drawing: SvgDrawing,
    cpuMsLeft: number,
    asker: ImageAsker,
    signal: AbortSignal,
  ): Promise<KeptDrawing> {
    const key = `${asker.organizationUid} ${asker.templateUid} ${source}`;
    this.#callers.set(key, (this.#callers.get(key) ?? 0) + 1);
    try {
      const { value } = await this.#flights.run(
        key,
        () => this.#make(source, drawing, cpuMsLeft, asker, () => this.#callers.has(key)),
        signal,
      );
      return value;
    } finally {
      const left = (this.#callers.get(key) ?? 1) - 1;
      if (left === 0) this.#callers.delete(key);
      else this.#callers.set(key, left);
    }
  }

  async #make(
    source: string,
    drawing: SvgDrawing,
    cpuMsLeft: number,
    asker: ImageAsker,
    isWanted: () => boolean,
  ): Promise<KeptDrawing> {
    const { svg, widthPx, heightPx } = drawing;
    const cpu = { leftMs: cpuMsLeft, limitMs: this.#cpuMsMax };
    const raster = await this.#rasteriser.draw(
      { file: Buffer.from(svg), key: source, size: { widthPx, heightPx }, cpu },
      asker,
      isWanted,
    );
    const bytes = new Uint8Array(new SharedArrayBuffer(raster.png.byteLength));
    bytes.set(raster.png);
    const kept = { image: toImage(source, drawing, bytes, raster.cpuMs), cpuMs: raster.cpuMs };
    this.#kept.set(source, kept);
    return kept;
  }
}

/** The drawing as a source. The process has read hostile bytes: its PNG is no larger than what was asked for. */
function toImage(
  digest: string,
  { widthPx, heightPx }: SvgDrawing,
  bytes: Uint8Array<SharedArrayBuffer>,
  cpuMs: number,
): SourceImage {
  const header = readImageHeader(bytes);
  if (header?.format !== 'png' || header.widthPx > widthPx || header.heightPx > heightPx)
    throw new DrawingError('is an SVG that could not be drawn', cpuMs);
  const size = { widthPx: header.widthPx, heightPx: header.heightPx };
  const decodeBytes = size.widthPx * size.heightPx * pixelBytes;
  return { digest, format: 'png', ...size, orientation: 1, decodeBytes, bytes };
}
