/** Lets the organization of a link read large documents in its share of the main thread, one at a time. */
import { AppError } from '../../foundation/errors.ts';
import { SerialWork } from '../../foundation/serial-work.ts';
import { organizationShares } from '../../foundation/thread-shares.ts';
import { firstValue } from '../../http/query.ts';
import type { Query } from '../../http/query.ts';
import type { TemplateStore } from '../../store/template-store.ts';

/** A smaller document costs less than its render. The largest ones, of 256 KiB, take some 10 ms of the thread. */
const largeBytes = 32 * 1024;
/** Upper bound of the documents of one organization that wait, some 5 s. */
const waitingMax = 128;
const retryAfterSeconds = 5;

/** The large documents of an organization that wait. */
interface Waiting {
  count: number;
  reads: SerialWork;
}

export class DocumentReads {
  readonly #templates: Pick<TemplateStore, 'findUnread'>;
  /** By uid and version: all links to a document wait for one turn. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, Waiting>();

  constructor(templates: Pick<TemplateStore, 'findUnread'>) {
    this.#templates = templates;
  }

  /**
   * Resolves when the documents of a link may be read: the newest version, and the one that `_version` names. Undefined
   * if none of them is large and out of memory. Rejects with OVERLOADED if too many of the organization wait.
   */
  turn(uid: string, query: Query): Promise<void> | undefined {
    const version = Number(firstValue(query, '_version') ?? Number.NaN);
    const versions = Number.isSafeInteger(version) ? [undefined, version] : [undefined];
    const unread = versions.flatMap((each) => this.#templates.findUnread(uid, each) ?? []);
    const [first] = unread;
    const bytes = unread.reduce((sum, each) => sum + each.bytes, 0);
    if (first === undefined || bytes < largeBytes) return undefined;
    const key = `${uid}@${versions.at(-1) ?? ''}`;
    let turn = this.#turns.get(key);
    if (turn === undefined) {
      turn = this.#take(first.organizationUid, bytes).finally(() => this.#turns.delete(key));
      this.#turns.set(key, turn);
    }
    return turn;
  }

  async #take(organizationUid: string, bytes: number): Promise<void> {
    const waiting = this.#waiting.get(organizationUid) ?? { count: 0, reads: new SerialWork() };
    if (waiting.count >= waitingMax) throw tooMany();
    this.#waiting.set(organizationUid, waiting);
    waiting.count += 1;
    try {
      await waiting.reads.run(() => organizationShares.take(organizationUid, bytes));
    } finally {
      waiting.count -= 1;
      if (waiting.count === 0) this.#waiting.delete(organizationUid);
    }
  }
}

function tooMany(): AppError {
  const sentence = `${waitingMax} large documents of the organization wait to be read: ask again in a moment.`;
  return new AppError('OVERLOADED', sentence, { reason: 'share', retryAfterSeconds });
}
