/** The CPU time that the SVG files of one image share, and the error of a drawing. */
import { ImageError } from '../image-error.ts';

/** The error of an SVG that cannot be drawn within its bounds, with the CPU time of the attempt. */
export class DrawingError extends ImageError {
  readonly cpuMs: number;

  /** `concernsRequester`: alone, or before the other drawings, it could be drawn. */
  constructor(message: string, cpuMs: number, options: { concernsRequester?: boolean } = {}) {
    super('decode', message, options);
    this.cpuMs = cpuMs;
  }
}

/** CPU time in ms: what is left of a limit. */
export interface CpuLeft {
  leftMs: number;
  limitMs: number;
}

/** A limit of CPU time for drawings that run one after the other. Files that are cached as drawings take none. */
export class DrawingCpu {
  #spentMs = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** CPU time in ms of all drawings so far. */
  get spentMs(): number {
    return this.#spentMs;
  }

  /** Runs `draw` after the earlier drawings, with what they left of `limitMs`. A `DrawingError` counts as well. */
  async share<Drawing extends { cpuMs: number }>(
    limitMs: number,
    draw: (cpu: CpuLeft) => Promise<Drawing> | Drawing,
  ): Promise<Drawing> {
    const drawn = this.#last.then(async () => {
      const leftMs = Math.max(0, limitMs - this.#spentMs);
      try {
        const drawing = await draw({ leftMs, limitMs });
        this.#spentMs += drawing.cpuMs;
        return drawing;
      } catch (error) {
        // Nothing was drawn without time, but the error of an earlier attempt has its time.
        if (error instanceof DrawingError && leftMs > 0) this.#spentMs += error.cpuMs;
        throw error;
      }
    });
    this.#last = drawn.catch(() => undefined);
    return drawn;
  }
}
