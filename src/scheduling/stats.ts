/** Figures of renders for the metrics: stages, warnings, base renders and waits; and stages as `Server-Timing`. */
import type { RenderOutcome } from '#wire/render-job.ts';
import type { Family } from '../foundation/metric-families.ts';
import { counterFamily, Histogram, histogramFamily, Tally } from '../foundation/metric-families.ts';

/** Milliseconds that a render spent before it reached its process. */
export interface RenderWaits {
  imagesMs: number;
  queuedMs: number;
}

/** The stages of a render in order; `plan` exists only if the render made a base render. */
const renderStages = ['images', 'queue', 'layout', 'plan', 'decode', 'paint', 'encode'] as const;

/** Milliseconds of each stage of one render, in order. */
export type StageTimes = Readonly<Record<string, number>>;

/** Upper bounds in seconds: layout takes under 1 ms; AVIF, and base renders of large images, take seconds. */
const stageBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** Upper bounds as shares of the image; the first one counts links that change nothing. */
const damageBuckets = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1];

/** Returns the times of a render's stages. */
export function stageTimes(
  { timings, baseRender }: Pick<RenderOutcome & { ok: true }, 'timings' | 'baseRender'>,
  { imagesMs, queuedMs }: RenderWaits,
): StageTimes {
  const { layoutMs, decodeMs, paintMs, encodeMs } = timings;
  return {
    images: imagesMs,
    queue: queuedMs,
    layout: layoutMs,
    ...(baseRender.buildMs === undefined ? {} : { plan: baseRender.buildMs }),
    decode: decodeMs,
    paint: paintMs,
    encode: encodeMs,
  };
}

/** Formats stages as `Server-Timing` (W3C Server Timing): `images;dur=0.1, queue;dur=0.0, …`. */
export function timingText(times: Readonly<Record<string, number>>): string {
  let text = '';
  for (const name of Object.keys(times)) {
    const tenths = Math.round((times[name] ?? 0) * 10);
    text += `${text === '' ? '' : ', '}${name};dur=${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  return text;
}

/**
 * Statistics of one service. Labels contain no text of a client: they are words of this code.
 */
export class RenderStats {
  readonly #stages = new Map<string, Histogram>(
    renderStages.map((stage) => [stage, new Histogram(stageBuckets)]),
  );
  readonly #drawn = new Tally('drawn');
  readonly #baseRenders = new Tally('result');
  readonly #damage = new Histogram(damageBuckets);
  readonly #warnings = new Tally('code');
  readonly #degraded = new Tally('code');

  /** Counts an image that was rendered for a request. `codes` are those of all its warnings. */
  countRender(
    outcome: RenderOutcome & { ok: true },
    times: StageTimes,
    codes: readonly string[],
    isDegraded: boolean,
  ): void {
    for (const stage of renderStages) {
      const ms = times[stage];
      if (ms !== undefined) this.#stages.get(stage)?.observe(ms / 1000);
    }
    this.#drawn.add(outcome.drawn);
    if (outcome.baseRender.damageRatio !== undefined)
      this.#damage.observe(outcome.baseRender.damageRatio);
    this.countBaseRender(outcome);
    for (const code of new Set(codes)) {
      this.#warnings.add(code);
      if (isDegraded) this.#degraded.add(code);
    }
  }

  /** Counts the base render that a job made, if any; for jobs whose image is discarded. */
  countBaseRender({ baseRender }: RenderOutcome & { ok: true }): void {
    if (baseRender.buildMs !== undefined)
      this.#baseRenders.add(baseRender.isKept === true ? 'kept' : 'none');
  }

  families(): Family[] {
    return [
      histogramFamily('platen_render_stage_seconds', 'Time of each stage of a render.', {
        label: 'stage',
        by: this.#stages,
      }),
      counterFamily(
        'platen_pictures_drawn_total',
        'Rendered images, from scratch (whole) or over a base render (plan).',
        () => this.#drawn.values(),
      ),
      counterFamily(
        'platen_plan_builds_total',
        'Attempts to make a base render; none: the template does not allow one, or it is too large to keep.',
        () => this.#baseRenders.values(),
      ),
      histogramFamily(
        'platen_plan_damage_ratio',
        'Share of the image that was painted again, for images rendered over a base render.',
        this.#damage,
      ),
      counterFamily(
        'platen_render_warnings_total',
        'Rendered images with a warning, by code.',
        () => this.#warnings.values(),
      ),
      counterFamily(
        'platen_degraded_renders_total',
        'Degraded images, by the codes of their warnings.',
        () => this.#degraded.values(),
      ),
    ];
  }
}

// Times that renders waited for a process, including renders that never got one, which are most in an overload.

/** The end of a wait: a process, or a refusal or timeout before that. */
type WaitEnd = 'started' | 'given-up';

/** Upper bounds in seconds, up to the timeouts that are usual in practice. */
const buckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

export class QueueWaits {
  readonly #byEnd = new Map<WaitEnd, Histogram>([
    ['started', new Histogram(buckets)],
    ['given-up', new Histogram(buckets)],
  ]);

  /** Counts a wait that started at `sinceMs` of `performance.now()` and ends now. */
  count(end: WaitEnd, sinceMs: number): void {
    this.#byEnd.get(end)?.observe((performance.now() - sinceMs) / 1000);
  }

  families(): Family[] {
    const help =
      'Waits for a render thread; given-up: rejected, timed out or disconnected before one was free.';
    return [
      histogramFamily('platen_render_queue_wait_seconds', help, { label: 'end', by: this.#byEnd }),
    ];
  }
}
