/** Detects when the links of a template begin to fail, and when they work again. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorText } from '#wire/error-text.ts';
import { steadyNowMs } from '../../foundation/deadline.ts';
import type { Log } from '../../foundation/log.ts';
import { writeTransaction } from '../../store/database/database.ts';
import type { Database } from '../../store/database/database.ts';
import { whenFree } from '../../store/database/store-error.ts';
import type { TemplateCounts } from '../../store/statistics-store.ts';
import type { WebhookEvent } from './message.ts';

/** Length of the sliding window in minutes. */
const windowMinutes = 10;
/** Answers in the window that a verdict needs. With fewer, a single failed link would be a high rate. */
const answersMin = 20;
/** Rate of failed answers from which a template fails. */
const failingRate = 0.2;
/** Rate below which a failing template has recovered. Between the two rates the state stays, to avoid flapping. */
const recoveredRate = 0.05;
/** Upper bound of the watched templates. Each has a few numbers a minute. */
const templatesMax = 10_000;

const minuteMs = 60_000;

/** Counts of one minute. */
interface Minute {
  minute: number;
  answers: number;
  failed: number;
  degraded: number;
  errors: Map<string, number>;
}

export interface FailureWatchOptions {
  db: Database;
  /** Called in a transaction of the watch. */
  emit: (event: WebhookEvent) => void;
  log: Log;
  /** A clock in milliseconds that is never set back. */
  nowMs?: () => number;
}

/** Watches the templates of a service. An answer fails if it is an error, its substitute image or a degraded image. */
export class FailureWatch {
  readonly #log: Log;
  readonly #nowMs: () => number;
  readonly #windows = new Map<string, Minute[]>();
  readonly #isFailing: (uid: string) => boolean;
  readonly #change: (uid: string, window: readonly Minute[], isFailing: boolean) => void;
  /** Templates whose new state is not yet compared with the stored one. */
  readonly #judged = new Map<string, { window: readonly Minute[]; isFailing: boolean }>();
  #storing: Promise<void> | undefined;

  constructor({ db, emit, log, nowMs = steadyNowMs }: FailureWatchOptions) {
    this.#log = log;
    this.#nowMs = nowMs;
    const { isFailing, change } = createFailingTemplates(db, emit);
    this.#isFailing = isFailing;
    this.#change = change;
  }

  /** Adds new counts. Never throws. */
  observe(counts: readonly TemplateCounts[]): void {
    const minute = Math.floor(this.#nowMs() / minuteMs);
    for (const each of counts) {
      const window = this.#windowOf(each.uid, minute);
      if (window === undefined) continue;
      addTo(window, minute, each);
      this.#judge(each.uid, window);
    }
    if (this.#windows.size < templatesMax) return;
    for (const [uid, window] of this.#windows) {
      if (isOver(window.at(-1), minute)) this.#windows.delete(uid);
    }
  }

  /** Resolves when the observed counts are stored. */
  settled(): Promise<void> {
    return this.#storing ?? Promise.resolve();
  }

  #windowOf(uid: string, minute: number): Minute[] | undefined {
    let window = this.#windows.get(uid);
    if (window === undefined) {
      if (this.#windows.size >= templatesMax) return undefined;
      this.#windows.set(uid, (window = []));
    }
    while (isOver(window[0], minute)) window.shift();
    return window;
  }

  #judge(uid: string, window: readonly Minute[]): void {
    const answers = sum(window, 'answers');
    if (answers < answersMin) return;
    const rate = sum(window, 'failed') / answers;
    if (rate < failingRate && rate >= recoveredRate) return;
    this.#judged.set(uid, { window, isFailing: rate >= failingRate });
    this.#storing ??= this.#store();
  }

  /**
   * Stores changed states, one transaction after the other. Each adds a message for each webhook, and a client can make
   * all templates of an organization fail at once. Other requests are answered between two transactions.
   */
  async #store(): Promise<void> {
    // Also templates that are judged during the loop.
    for (const [uid, { window, isFailing }] of this.#judged) {
      await nextTurn();
      this.#judged.delete(uid);
      try {
        await whenFree(() => {
          if (this.#isFailing(uid) !== isFailing) this.#change(uid, window, isFailing);
        });
      } catch (error) {
        this.#log.warn('webhooks', { detail: errorText(error) });
      }
    }
    this.#storing = undefined;
  }
}

function isOver(minute: Minute | undefined, now: number): boolean {
  return minute !== undefined && minute.minute <= now - windowMinutes;
}

function sum(window: readonly Minute[], name: 'answers' | 'failed' | 'degraded'): number {
  return window.reduce((total, each) => total + each[name], 0);
}

/** An error answered with an image is counted as an image and as an error: substitutes are subtracted. */
function addTo(window: Minute[], minute: number, { answers, errors }: TemplateCounts): void {
  let last = window.at(-1);
  if (last?.minute !== minute) {
    last = { minute, answers: 0, failed: 0, degraded: 0, errors: new Map() };
    window.push(last);
  }
  let substitutes = 0;
  for (const { counts } of answers) {
    last.answers += counts.images;
    last.degraded += counts.degraded;
    last.failed += counts.degraded;
    substitutes += counts.substitutes;
  }
  for (const [code, count] of errors) {
    last.answers += count;
    last.failed += count;
    last.errors.set(code, (last.errors.get(code) ?? 0) + count);
  }
  last.answers -= substitutes;
}

/** The stored set of failing templates, which outlasts the process. */
function createFailingTemplates(
  db: Database,
  emit: (event: WebhookEvent) => void,
): {
  isFailing: (uid: string) => boolean;
  change: (uid: string, window: readonly Minute[], isFailing: boolean) => void;
} {
  const find = db
    .prepare<[string], number>('SELECT 1 FROM failing_templates WHERE template_uid = ?')
    .pluck();
  const insert = db.prepare<[string, number]>('INSERT INTO failing_templates VALUES (?, ?)');
  const remove = db.prepare<[string]>('DELETE FROM failing_templates WHERE template_uid = ?');
  const owner = db
    .prepare<[string], string>('SELECT organization_uid FROM templates WHERE uid = ?')
    .pluck();
  return {
    isFailing: (uid) => find.get(uid) !== undefined,
    change: (uid, window, isFailing) => {
      writeTransaction(db, `Noting that template ${uid} fails or works`, () => {
        const organizationUid = owner.get(uid);
        if (organizationUid === undefined) return;
        if (isFailing) insert.run(uid, Date.now());
        else remove.run(uid);
        const type = isFailing ? 'template.failing' : 'template.recovered';
        emit({ organizationUid, type, data: describe(uid, window) });
      });
    },
  };
}

/** The data of both events: names and counts. */
function describe(uid: string, window: readonly Minute[]): WebhookEvent['data'] {
  const errors: Record<string, number> = {};
  for (const minute of window) {
    for (const [code, count] of minute.errors) errors[code] = (errors[code] ?? 0) + count;
  }
  return {
    template: uid,
    minutes: windowMinutes,
    requests: sum(window, 'answers'),
    failed: sum(window, 'failed'),
    degraded: sum(window, 'degraded'),
    errors,
  };
}
