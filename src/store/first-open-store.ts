/** Stores the time when each contact first opened a template with an evergreen countdown, under a keyed hash. */
import { createHmac } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { SerialWork } from '../foundation/serial-work.ts';
import type { Database } from './database/database.ts';
import { isReadOnlyDatabase, writeNote, writeTransaction } from './database/database.ts';
import { storeErrors, whenFree } from './database/store-error.ts';
import { writeRoute } from './database/write-route.ts';

/** Maximum number of contacts of one template, which need some 100 MB. */
const contactsOfTemplateMax = 1_000_000;
/** Maximum number of contacts of all templates of one organization. */
const contactsOfOrganizationMax = 5_000_000;
/** Days that a row is kept; the longest countdown takes 99. */
export const firstOpenDaysMax = 400;
/** Maximum number of first opens in memory while the database is busy, some 200 bytes each. */
const waitingMax = 10_000;
/** Wait between two attempts to write them. */
const retryMs = 100;
/** Maximum wait of an answer for a shared database, which may be unreachable. */
const sharedMsMax = 250;

const daySeconds = 24 * 60 * 60;

/** Times are Unix times in seconds. */
export interface FirstOpenStore {
  /** The first open of a contact; undefined without one, and while the database cannot be read. Never throws. */
  find(uid: string, contact: string): number | undefined;
  /**
   * The first open of a contact, or `nowSeconds` for a new contact, written at the end of the turn of the event loop.
   * Undefined if the template has the maximum number of contacts, or the database fails. Never throws.
   */
  open(uid: string, contact: string, nowSeconds: number): number | undefined;
  /** Resolves when first opens since the last call are on disk or wait for a busy database. Answer only then. */
  stored(): Promise<void> | undefined;
  /**
   * Deletes a contact of a template of the organization, or up to `deletionsMax` contacts. Returns their number. Throws
   * a `StoreError`.
   */
  forget(organizationUid: string, uid: string, contact: string | undefined): number;
  /** Number of contacts of a template of the organization. Throws a `StoreError`. */
  count(organizationUid: string, uid: string): number;
  /** Deletes up to `deletionsMax` old rows, and as many of archived templates; returns the sum. Throws `StoreError`. */
  deleteExpired(deletionsMax: number): number;
  /** Tries to write the waiting first opens. */
  close(): void;
}

/** Maximum number of deleted contacts of one transaction, which takes some milliseconds. */
const deletionsMax = 1000;

interface FirstOpen {
  uid: string;
  hash: Buffer;
  seconds: number;
}

/** Creates the store of a connection. `nowMs` is the wall clock, ms since the epoch. */
export function createFirstOpenStore(
  db: Database,
  nowMs: () => number = Date.now,
  contactsMax = contactsOfTemplateMax,
): FirstOpenStore {
  const readKey = db.prepare<[], Buffer>('SELECT secret FROM contact_key').pluck();
  let key: Buffer | undefined;
  /** 128 bits of a hash with the key of this database, different for each template. */
  const hashOf = (uid: string, contact: string): Buffer => {
    key ??= readKey.get();
    if (key === undefined) throw new Error('The database has no key of contacts.');
    return createHmac('sha256', key).update(`${uid}\n${contact}`).digest().subarray(0, 16);
  };
  const select = db
    .prepare<[string, Buffer], number>(
      `SELECT o.started_at FROM first_opens o JOIN templates t ON t.id = o.template_id
       WHERE t.uid = ? AND o.contact = ?`,
    )
    .pluck();
  const countOfTemplate = db
    .prepare<[string], number>(
      `SELECT coalesce(c.contacts, 0) FROM templates t
       LEFT JOIN first_open_counts c ON c.template_id = t.id WHERE t.uid = ? AND t.archived_at IS NULL`,
    )
    .pluck();
  const waiting = new WaitingOpens(db, createWriter(db, contactsMax));
  const forgetting = createForgetting(db);
  const find = (uid: string, hash: Buffer): number | undefined =>
    waiting.find(uid, hash) ?? select.get(uid, hash);
  return {
    find: (uid, contact) => quietly(() => find(uid, hashOf(uid, contact))),
    open: (uid, contact, nowSeconds) =>
      quietly(() => {
        const hash = hashOf(uid, contact);
        const known = find(uid, hash);
        if (known !== undefined) return known;
        if ((countOfTemplate.get(uid) ?? contactsMax) >= contactsMax) return undefined;
        return waiting.add({ uid, hash, seconds: nowSeconds }) ? nowSeconds : undefined;
      }),
    stored: () => waiting.takeStored(),
    forget(organizationUid, uid, contact) {
      const hash = contact === undefined ? undefined : hashOf(uid, contact);
      return writeTransaction(db, `Deleting contacts of template ${uid}`, () => {
        waiting.forget(uid, hash);
        return forgetting.forget(organizationUid, uid, hash);
      });
    },
    count: (organizationUid, uid) =>
      storeErrors(`Counting contacts of template ${uid}`, () =>
        forgetting.count(organizationUid, uid),
      ),
    deleteExpired: (most) =>
      writeTransaction(db, 'Deleting old first opens', () =>
        forgetting.deleteExpired(Math.floor(nowMs() / 1000) - firstOpenDaysMax * daySeconds, most),
      ),
    close: () => waiting.close(),
  };
}

/** First opens that wait until the end of the turn, or until the database is free. */
class WaitingOpens {
  readonly #db: Database;
  readonly #write: (open: FirstOpen) => void;
  readonly #opens = new Map<string, FirstOpen>();
  #timer: NodeJS.Timeout | undefined;
  readonly #sharedWork = new SerialWork();
  /** Resolves after the next attempt to write; undefined without new first opens. */
  #stored: Promise<void> | undefined;
  /** Whether first opens were added or found since the last `takeStored`. */
  #isNew = false;

  constructor(db: Database, write: (open: FirstOpen) => void) {
    this.#db = db;
    this.#write = write;
  }

  find(uid: string, hash: Buffer): number | undefined {
    const open = this.#opens.get(nameOf(uid, hash));
    // This answer must also wait until the first open is on disk.
    this.#isNew ||= open !== undefined;
    return open?.seconds;
  }

  /** False if too many wait. */
  add(open: FirstOpen): boolean {
    if (this.#opens.size >= waitingMax) return false;
    this.#opens.set(nameOf(open.uid, open.hash), open);
    this.#stored ??= this.#writeSoon();
    this.#isNew = true;
    return true;
  }

  takeStored(): Promise<void> | undefined {
    const stored = this.#isNew ? this.#stored : undefined;
    this.#isNew = false;
    return stored;
  }

  /** Writes the first opens of a turn in one transaction: under load this takes a fifth of the time of one each. */
  async #writeSoon(): Promise<void> {
    await nextTurn();
    this.#stored = undefined;
    if (this.#isShared()) await Promise.race([this.#storeShared(), pause(sharedMsMax)]);
    else this.#flush();
  }

  #isShared(): boolean {
    return writeRoute()?.db === this.#db;
  }

  forget(uid: string, hash: Buffer | undefined): void {
    for (const [name, open] of this.#opens) {
      if (open.uid === uid && (hash?.equals(open.hash) ?? true)) this.#opens.delete(name);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flush();
    clearTimeout(this.#timer);
  }

  #flush(): void {
    if (this.#opens.size === 0) return;
    if (this.#isShared()) return void this.#storeShared();
    const opens = [...this.#opens.values()];
    const isWritten =
      !isReadOnlyDatabase(this.#db) &&
      writeNote(this.#db, () => this.#db.transaction(() => opens.forEach(this.#write)).immediate());
    if (isWritten) this.#opens.clear();
    else this.#timer ??= this.#tryAgain();
  }

  /** Resolves when the present first opens are stored, or wait for the next attempt. Never rejects. */
  #storeShared(): Promise<void> {
    return this.#sharedWork.run(async () => {
      // After a failure, the timer tries again.
      if (this.#timer !== undefined || this.#opens.size === 0) return;
      const opens = [...this.#opens];
      try {
        await whenFree(() => opens.forEach(([, open]) => this.#write(open)));
        for (const [name, open] of opens) {
          if (this.#opens.get(name) === open) this.#opens.delete(name);
        }
      } catch {
        this.#timer = this.#tryAgain();
      }
    });
  }

  #tryAgain(): NodeJS.Timeout {
    const again = (): void => {
      this.#timer = undefined;
      this.#flush();
    };
    return setTimeout(again, retryMs).unref();
  }
}

function nameOf(uid: string, hash: Buffer): string {
  return `${uid} ${hash.toString('latin1')}`;
}

/** The value of `read`; undefined if the database fails, and the reader then gets the whole duration. */
function quietly<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Creates the function that writes one first open below the limits. It runs in a transaction. */
function createWriter(db: Database, contactsMax: number): (open: FirstOpen) => void {
  const find = db.prepare<[string], { id: number; organization_uid: string }>(
    'SELECT id, organization_uid FROM templates WHERE uid = ? AND archived_at IS NULL',
  );
  const countOfTemplate = db
    .prepare<[number], number>('SELECT contacts FROM first_open_counts WHERE template_id = ?')
    .pluck();
  const countOfOrganization = db
    .prepare<[string], number>(
      `SELECT coalesce(sum(contacts), 0) FROM first_open_counts
       WHERE template_id IN (SELECT id FROM templates WHERE organization_uid = ?)`,
    )
    .pluck();
  const insert = db.prepare<[number, Buffer, number]>(
    'INSERT OR IGNORE INTO first_opens VALUES (?, ?, ?)',
  );
  return ({ uid, hash, seconds }) => {
    const template = find.get(uid);
    if (template === undefined) return;
    const contacts = countOfTemplate.get(template.id) ?? 0;
    if (contacts >= contactsMax) return;
    // Summing over all templates is slow, so only every 100th contact checks it.
    const isDue = contacts % 100 === 0;
    const all = isDue ? (countOfOrganization.get(template.organization_uid) ?? 0) : 0;
    if (all < contactsOfOrganizationMax) insert.run(template.id, hash, seconds);
  };
}

/** Creates the functions that delete and count rows. */
function createForgetting(db: Database): {
  forget: (organizationUid: string, uid: string, hash: Buffer | undefined) => number;
  count: (organizationUid: string, uid: string) => number;
  deleteExpired: (beforeSeconds: number, most: number) => number;
} {
  const templateId = 'SELECT id FROM templates WHERE uid = ? AND organization_uid = ?';
  const removeOne = db.prepare<[string, string, Buffer]>(
    `DELETE FROM first_opens WHERE template_id = (${templateId}) AND contact = ?`,
  );
  const removeSome = db.prepare<[string, string, string, string, number]>(
    `DELETE FROM first_opens WHERE template_id = (${templateId}) AND contact IN
       (SELECT contact FROM first_opens WHERE template_id = (${templateId}) LIMIT ?)`,
  );
  const count = db
    .prepare<[string, string], number>(
      `SELECT contacts FROM first_open_counts WHERE template_id = (${templateId})`,
    )
    .pluck();
  const removeOld = db.prepare<[number, number]>(
    `DELETE FROM first_opens WHERE (template_id, contact) IN
       (SELECT template_id, contact FROM first_opens WHERE started_at < ? LIMIT ?)`,
  );
  const removeArchived = db.prepare<[number]>(
    `DELETE FROM first_opens WHERE (template_id, contact) IN
       (SELECT o.template_id, o.contact FROM templates t
        JOIN first_open_counts c ON c.template_id = t.id AND c.contacts > 0
        JOIN first_opens o ON o.template_id = t.id
        WHERE t.archived_at IS NOT NULL LIMIT ?)`,
  );
  return {
    forget: (organizationUid, uid, hash) =>
      hash === undefined
        ? removeSome.run(uid, organizationUid, uid, organizationUid, deletionsMax).changes
        : removeOne.run(uid, organizationUid, hash).changes,
    count: (organizationUid, uid) => count.get(uid, organizationUid) ?? 0,
    deleteExpired: (beforeSeconds, most) =>
      removeOld.run(beforeSeconds, most).changes + removeArchived.run(most).changes,
  };
}
