/** Draws the SVG layers of templates, with a cache of drawings. */
import type { SourceImage } from '#wire/render-job.ts';
import type { SvgDrawing } from '#wire/render-job.ts';
import { drawingSource } from '#wire/svg-drawing.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { SharedCache } from '../../foundation/shared-cache.ts';
import { SingleFlight } from '../../foundation/single-flight.ts';
import { readImageHeader } from '../sniff/sniff-image.ts';
import type { ImageRequester } from '../turns.ts';
import { DrawingCpu, DrawingError } from './drawing-cpu.ts';
import type { SvgRasteriser } from './pool.ts';

/** Drawings for a job, by `drawingSource`, and the problems of drawings that failed. */
export interface DrawnLayers {
  images: [source: string, image: SourceImage][];
  problems: [source: string, problem: string][];
  /** CPU time of all drawings, also of cached ones: equal images have equal costs. */
  cpuMs: number;
}

/** A cached drawing, and the CPU time that it took. */
interface KeptDrawing {
  image: SourceImage;
  cpuMs: number;
}

/** Size of the cache, some thousand logos of 20 KB. Render hosts cache the decoded drawings themselves. */
const drawingsBytesMax = 32 * 1024 * 1024;
/** Bytes of an entry without its image and its key. */
const entryBytes = 512;

/** Bytes of memory to decode a pixel of the PNG. */
const pixelBytes = 4;

export class SvgLayers {
  readonly #rasteriser: SvgRasteriser;
  readonly #cpuMsMax: number;
  /** A drawing counts for the organization that drew it last, and all may use it. */
  readonly #kept = new SharedCache<KeptDrawing>({
    sizeMax: drawingsBytesMax,
    sizeOf: ({ image }, source) => image.bytes.byteLength + 2 * source.length + entryBytes,
  });
  readonly #flights = new SingleFlight<KeptDrawing>();

  /** The caller owns `rasteriser` and closes it. `svgTimeoutMs` is the CPU time that one SVG may take. */
  constructor(rasteriser: SvgRasteriser, svgTimeoutMs: number) {
    this.#rasteriser = rasteriser;
    this.#cpuMsMax = Math.min(svgTimeoutMs, templateLimits.drawingsMsMax);
  }

  /**
   * Makes the drawings of one image one after the other. Cached drawings count with their original CPU time, failed
   * ones with the time until the failure. `signal` rejects this caller with the signal's reason. Rejects with an
   * `ImageError` `overloaded`, or `network` when the service stops.
   */
  async draw(
    drawings: readonly SvgDrawing[],
    requester: ImageRequester,
    signal: AbortSignal,
  ): Promise<DrawnLayers> {
    const cpu = new DrawingCpu();
    const drawn: Omit<DrawnLayers, 'cpuMs'> = { images: [], problems: [] };
    const bySource = new Map(drawings.map((drawing) => [drawingSource(drawing), drawing]));
    for (const [source, drawing] of bySource) {
      try {
        const { image } = await cpu.share(
          this.#cpuMsMax,
          ({ leftMs }) =>
            this.#kept.get(source) ?? this.#fly(source, drawing, leftMs, requester, signal),
        );
        drawn.images.push([source, image]);
      } catch (error) {
        if (!(error instanceof DrawingError)) throw error;
        drawn.problems.push([source, error.message]);
      }
    }
    return { ...drawn, cpuMs: cpu.spentMs };
  }

  /** One flight per requester and drawing. A shared flight would wait in the queue of another requester. */
  async #fly(
    source: string,
    drawing: SvgDrawing,
    cpuMsLeft: number,
    requester: ImageRequester,
    signal: AbortSignal,
  ): Promise<KeptDrawing> {
    const key = `${requester.organizationUid} ${requester.templateUid} ${source}`;
    const { value } = await this.#flights.run(
      key,
      (isWanted) => this.#make(source, drawing, cpuMsLeft, requester, isWanted),
      signal,
    );
    return value;
  }

  async #make(
    source: string,
    drawing: SvgDrawing,
    cpuMsLeft: number,
    requester: ImageRequester,
    isWanted: () => boolean,
  ): Promise<KeptDrawing> {
    const { svg, widthPx, heightPx } = drawing;
    const cpu = { leftMs: cpuMsLeft, limitMs: this.#cpuMsMax };
    const raster = await this.#rasteriser.draw(
      { file: Buffer.from(svg), key: source, size: { widthPx, heightPx }, cpu },
      requester,
      isWanted,
    );
    const bytes = new Uint8Array(new SharedArrayBuffer(raster.png.byteLength));
    bytes.set(raster.png);
    const kept = { image: toImage(source, drawing, bytes, raster.cpuMs), cpuMs: raster.cpuMs };
    this.#kept.set(requester.organizationUid, source, kept);
    return kept;
  }
}

/** The drawing as a source image. The process is untrusted: a PNG larger than requested is rejected. */
function toImage(
  digest: string,
  { widthPx, heightPx }: SvgDrawing,
  bytes: Uint8Array<SharedArrayBuffer>,
  cpuMs: number,
): SourceImage {
  const header = readImageHeader(bytes);
  if (header?.format !== 'png' || header.widthPx > widthPx || header.heightPx > heightPx)
    throw new DrawingError('could not be drawn', cpuMs);
  const size = { widthPx: header.widthPx, heightPx: header.heightPx };
  const decodeBytes = size.widthPx * size.heightPx * pixelBytes;
  return { digest, format: 'png', ...size, orientation: 1, decodeBytes, bytes };
}
