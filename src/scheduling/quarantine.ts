/**
 * Refuses work that has ended render hosts: documents, or images that callers combine with documents. A loss counts
 * against the caller's images if there are any, so that no caller can cause the refusal of a valid version.
 *
 * A caller can vary the bytes of an image or of a document with each request. So the losses of each template and of
 * each organization are bounded too. Every lost process costs all organizations.
 */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import { errorText } from '#wire/error-text.ts';
import type { RenderJob } from '#wire/render-job.ts';
import { AppError } from '../foundation/errors.ts';
import type { Log } from '../foundation/log.ts';
import { isLossOf } from '../store/lost-render-store.ts';
import type { LostRenders, LostRenderStore } from '../store/lost-render-store.ts';
import { repeatWhileBusy } from '../store/database/store-error.ts';
import type { LossCause, RenderLostError } from './hosts/lost-render.ts';
import { outsideCauses, RecentLosses } from './hosts/lost-render.ts';
import { isPreviewKey, serviceItself, shareOf } from './costs.ts';

/** Losses within the window after which a document is refused. */
const lossesMax = 2;
/** Losses count for an hour. A version that loses one render a day is probably not the cause of the losses. */
const windowMs = 60 * 60 * 1000;
/** Documents that are tracked; drafts and previews are known only to this process. */
const documentsMax = 10_000;

/**
 * Losses within `boundsWindowMs` after which more is refused. Losses by images of callers, counted by template or
 * organization, refuse these images; any losses of an organization refuse all its renders. A loss takes up to 6 s of a
 * core, and 2 s to start another process: 40 in ten minutes are at most 32 s a minute.
 */
const lossBounds = { templateImages: 5, organizationImages: 15, organization: 40 } as const;
const boundsWindowMs = 10 * 60 * 1000;

/** Delay after which a release in one process takes effect in the others. */
const refreshEveryMs = 2000;

/** The state of a refused document in the API. */
export interface QuarantineState {
  /** ISO 8601 UTC. */
  since: string;
  reason: LossCause;
}

/** One for each pool. Without a store, nothing persists beyond the process. */
export class Quarantine {
  /** Losses by cause since the start. */
  readonly losses = new Map<LossCause, number>();
  readonly #known = new LRUCache<string, LostRenders>(entryLimit(documentsMax));
  /** Losses by document and digest. A single loss is no proof: a process may also end for reasons outside its job. */
  readonly #images = new LRUCache<string, number>({ ...entryLimit(documentsMax), ttl: windowMs });
  /** Losses by organization, for any cause. */
  readonly #recent = new RecentLosses(boundsWindowMs);
  /** Losses with images of callers, by template key and by organization. */
  readonly #recentByImages = new RecentLosses(boundsWindowMs);
  readonly #lines: Log;
  readonly #nowMs: () => number;
  /** Documents whose losses are not saved in the database yet, or never if it is read-only. */
  readonly #unsaved = new Set<string>();
  #store: LostRenderStore | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log, nowMs: () => number = Date.now) {
    this.#lines = log;
    this.#nowMs = nowMs;
  }

  /** Number of refused documents. */
  get size(): number {
    return [...this.#known.values()].filter(isQuarantined).length;
  }

  /**
   * Reads the losses before this start, stores new ones, and reads those that other processes on the database record or
   * release, until `close`. Throws a `StoreError`.
   */
  attach(store: LostRenderStore): void {
    this.#store = store;
    this.refresh();
    this.#timer = setInterval(() => {
      try {
        this.refresh();
      } catch (error) {
        this.#lines.warn('quarantine', { detail: errorText(error) });
      }
    }, refreshEveryMs).unref();
  }

  /** Stops reading the store. */
  close(): void {
    clearInterval(this.#timer);
  }

  /** Reads what other processes on the database have recorded or released. Throws a `StoreError`. */
  refresh(): void {
    const rows = this.#store?.list() ?? [];
    const kept = new Set(rows.map(({ templateKey }) => templateKey));
    for (const [key, { version }] of this.#known.entries()) {
      const isReleased = version > 0 && !kept.has(key) && !this.#unsaved.has(key);
      if (isReleased) this.#known.delete(key);
    }
    for (const row of rows.toReversed()) {
      if (!this.#unsaved.has(row.templateKey)) this.#known.set(row.templateKey, row);
    }
  }

  /**
   * Returns why a document is refused: QUARANTINED, with `Retry-After` if its organization lost too many renders, or
   * BAD_REQUEST for a preview. Undefined if it is not refused.
   */
  refusalOf(templateKey: string): AppError | undefined {
    const waitMs = this.#recent.msUntilBelow(lossBounds.organization, organizationOf(templateKey));
    if (waitMs > 0) {
      return temporaryRefusal('renders', 'Too many renders of this organization', waitMs);
    }
    const known = this.#known.size === 0 ? undefined : this.#known.get(templateKey);
    if (known === undefined || !isQuarantined(known)) return undefined;
    if (isPreviewKey(templateKey)) {
      return new AppError(
        'BAD_REQUEST',
        'Two renders of this document ended their process, so it is not rendered again: change the document.',
        { reason: 'quarantine' },
      );
    }
    return new AppError(
      'QUARANTINED',
      'Two renders of this version ended their process, so it is not rendered any more: publish a new version or release the template.',
      { reason: 'quarantine' },
    );
  }

  /**
   * Whether a caller's image is refused with a document: two renders with it ended their process within the last hour.
   */
  refusesImage(templateKey: string, digest: string): boolean {
    if (this.#images.size === 0) return false;
    return (this.#images.get(imageKey(templateKey, digest)) ?? 0) >= lossesMax;
  }

  /**
   * Returns QUARANTINED while all images of callers are refused with a document, because such images ended too many
   * processes recently.
   */
  refusalOfCallerImages(templateKey: string): AppError | undefined {
    const waitMs = Math.max(
      this.#recentByImages.msUntilBelow(lossBounds.templateImages, templateKey),
      this.#recentByImages.msUntilBelow(lossBounds.organizationImages, organizationOf(templateKey)),
    );
    if (waitMs === 0) return undefined;
    return temporaryRefusal('caller-images', 'Too many renders with images of links', waitMs);
  }

  /** As `refusalOf` and `refusalOfCallerImages`, or BAD_REQUEST for a job with a refused image. */
  refusalOfJob({ templateKey, images, subject }: RenderJob): AppError | undefined {
    const refusal = this.refusalOf(templateKey);
    if (refusal !== undefined) return refusal;
    const imagesRefusal = this.refusalOfCallerImages(templateKey);
    if (imagesRefusal !== undefined && callerImagesOf(subject).length > 0) return imagesRefusal;
    if (!images.some(([, { digest }]) => this.refusesImage(templateKey, digest))) return undefined;
    return new AppError(
      'BAD_REQUEST',
      'An image of the link ended two processes that rendered it, so it is refused for an hour: use another image.',
      { reason: 'quarantine' },
    );
  }

  /** Records and logs the loss of a job. Never throws. */
  note(job: RenderJob, loss: RenderLostError): void {
    const { lossCause } = loss;
    this.losses.set(lossCause, (this.losses.get(lossCause) ?? 0) + 1);
    // The machine is the cause, and neither a document nor an image.
    if (outsideCauses.has(lossCause)) return this.#log(job, loss);
    const organization = organizationOf(job.templateKey);
    if (organization !== serviceItself) this.#recent.add(organization);
    // The rows of this proof are proved again one by one, which records the row that ends processes.
    if (job.proof?.more !== undefined) return this.#log(job, loss);
    const digests = callerImagesOf(job.subject);
    if (digests.length === 0) this.#noteDocument(job, loss);
    else this.#noteImages(job, loss, digests);
  }

  #log({ templateKey, subject }: RenderJob, loss: RenderLostError, more: object = {}): void {
    this.#lines.error('render lost', {
      organization: organizationOf(templateKey),
      template: subject?.template ?? '',
      version: subject?.version ?? 0,
      cause: loss.lossCause,
      quarantined: false,
      ...more,
      detail: loss.message,
    });
  }

  #noteImages(job: RenderJob, loss: RenderLostError, digests: readonly string[]): void {
    const { templateKey } = job;
    for (const digest of digests) {
      const key = imageKey(templateKey, digest);
      this.#images.set(key, (this.#images.get(key) ?? 0) + 1);
    }
    this.#recentByImages.add(templateKey);
    this.#recentByImages.add(organizationOf(templateKey));
    const imagesRefused = this.refusalOfCallerImages(templateKey) !== undefined;
    this.#log(job, loss, { images: digests.join(' '), imagesRefused });
  }

  #noteDocument(job: RenderJob, loss: RenderLostError): void {
    const { templateKey, subject } = job;
    const nowMs = this.#nowMs();
    const before = this.#known.get(templateKey);
    const counts = before !== undefined && nowMs - before.lostAtMs <= windowMs;
    const losses = counts ? before.losses + 1 : 1;
    const [organizationUid = ''] = templateKey.split(':', 1);
    const { template: templateUid = '', version = 0 } = subject ?? {};
    const lost: LostRenders = {
      organizationUid,
      templateUid,
      version,
      templateKey,
      losses,
      lostAtMs: nowMs,
      cause: loss.lossCause,
      quarantinedAtMs: losses >= lossesMax ? (before?.quarantinedAtMs ?? nowMs) : null,
    };
    this.#known.set(templateKey, lost);
    this.#log(job, loss, { organization: organizationUid, quarantined: isQuarantined(lost) });
    const store = this.#store;
    // Drafts and previews have no version.
    if (store === undefined || version === 0) return;
    this.#unsaved.add(templateKey);
    repeatWhileBusy(() => store.save(lost)).then(
      () => this.#unsaved.delete(templateKey),
      (error: unknown) => this.#lines.warn('lost render not noted', { detail: errorText(error) }),
    );
  }

  /** Since when and why a document is refused; undefined if it is not. */
  find(templateKey: string): QuarantineState | undefined {
    const known = this.#known.get(templateKey);
    if (known === undefined || known.quarantinedAtMs === null) return undefined;
    const since = new Date(known.quarantinedAtMs).toISOString();
    return { since, reason: known.cause as LossCause };
  }

  /**
   * Releases all versions of a template, and those of the organization's other templates with an equal document.
   * Rejects with a `StoreError`.
   */
  async release(organizationUid: string, templateUid: string): Promise<void> {
    const store = this.#store;
    const cids =
      store === undefined
        ? new Set<string>()
        : await repeatWhileBusy(() => store.release(organizationUid, templateUid));
    for (const [key, lost] of this.#known.entries()) {
      if (!isLossOf(lost, organizationUid, templateUid, cids)) continue;
      this.#known.delete(key);
      this.#unsaved.delete(key);
    }
  }
}

function isQuarantined({ quarantinedAtMs }: LostRenders): boolean {
  return quarantinedAtMs !== null;
}

/** `serviceItself` for a job that belongs to no organization. */
function organizationOf(templateKey: string): string {
  return shareOf({ templateKey }).organization;
}

function callerImagesOf(subject: RenderJob['subject']): string[] {
  return subject?.callerImages?.() ?? [];
}

/** QUARANTINED with `Retry-After`; the sentence starts with `what`. */
function temporaryRefusal(reason: string, what: string, waitMs: number): AppError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new AppError(
    'QUARANTINED',
    `${what} ended their process in the last 10 minutes; ask again in ${retryAfterSeconds} s.`,
    { reason, retryAfterSeconds },
  );
}

function imageKey(templateKey: string, digest: string): string {
  return `${templateKey} ${digest}`;
}
