/** Saves a draft shortly after each change. Each save names the draft that it replaces, and overwrites no other. */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { PlatenClient } from '../../client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { freeName } from '../gallery/free-name.ts';
import { explainFailure, statusOf } from '../wording.ts';
import type { Failure } from '../wording.ts';
import type { Values } from './frames.ts';
import type { ValidCopies } from './valid-copies.ts';

/** State of the draft. `conflict`: another user changed it. `refused`: the service does not accept the document. */
export type SaveState = 'saved' | 'unsaved' | 'saving' | 'conflict' | 'refused' | 'offline';

/** How an editor saves its draft. */
export interface DraftSaving {
  readonly saveState: ReadonlySignal<SaveState>;
  /** What the draft on the service lacks: unfinished values, or all changes while `saveState` is `refused`. */
  readonly refusal: ReadonlySignal<Failure | undefined>;
  /** Saves the draft now. Resolves when it is saved or cannot be saved: see `saveState`. */
  save(): Promise<void>;
  /**
   * Ends a `conflict`. `mine` saves over the other draft. `theirs` takes the other draft, as a step that can be undone.
   * `copy` makes a template of this document, takes the other draft here, and resolves to the uid of the new template.
   * Rejects like the client.
   */
  resolveConflict(choice: 'mine' | 'theirs' | 'copy'): Promise<string | undefined>;
  /** Sets `conflict` after a call has found another user's draft. */
  meetConflict(): void;
  /** Content id of the draft that was read or saved last. */
  readonly cid: ReadonlySignal<string>;
}

/** Time without a change before the draft is saved, in ms. */
const pauseMs = 800;

/** Delay before another attempt after an outage, in ms. */
const retryMs = 4000;

/** Saves documents of one template. */
export interface Autosave {
  readonly state: ReadonlySignal<SaveState>;
  /** As in `DraftSaving`. */
  readonly refusal: ReadonlySignal<Failure | undefined>;
  /** Content id of the draft that was read or saved last. */
  readonly cid: ReadonlySignal<string>;
  /** The document of which the service has the valid copy, by identity; undefined if it has another user's. */
  readonly saved: ReadonlySignal<Template | undefined>;
  /** Takes a new document, and saves it after a pause. */
  note(document: Template): void;
  /** Saves unsaved changes now. Resolves when they are saved or cannot be saved: see `state`. */
  save(): Promise<void>;
  /** Takes a draft as saved: `document` is the service's draft under `cid`. */
  adopt(document: Template, cid: string): void;
  /** Sets `conflict`, also without unsaved changes: the service no longer has the draft that was saved last. */
  meetConflict(): void;
  /** From now on overwrites the draft with this `cid`, also another user's. */
  follow(cid: string): void;
  close(): void;
}

/** Creates the saver of template `uid`, whose draft was read as `document` under `firstCid`. */
export function createAutosave(
  client: Pick<PlatenClient, 'updateTemplate'>,
  uid: string,
  document: Template,
  firstCid: string,
  copies: Pick<ValidCopies, 'of' | 'unfinished'>,
): Autosave {
  const saver = new Saver(client, uid, document, firstCid, copies);
  const wake = (): void => void saver.save();
  globalThis.addEventListener('online', wake);
  return Object.assign(saver, {
    refusal: computed(() => saver.answer.value ?? copies.unfinished.value),
    close: () => {
      globalThis.removeEventListener('online', wake);
      saver.stop();
    },
  });
}

class Saver implements Omit<Autosave, 'close' | 'refusal'> {
  readonly state = signal<SaveState>('saved');
  /** The service's message while `state` is `refused`. */
  readonly answer = signal<Failure | undefined>(undefined);
  readonly cid;
  readonly saved;
  readonly #client: Pick<PlatenClient, 'updateTemplate'>;
  readonly #uid: string;
  readonly #copies: Pick<ValidCopies, 'of'>;
  #newest: Template;
  /** The valid copy that the service has; undefined if it has another user's draft. */
  #sent: Template | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;

  constructor(
    client: Pick<PlatenClient, 'updateTemplate'>,
    uid: string,
    document: Template,
    cid: string,
    copies: Pick<ValidCopies, 'of'>,
  ) {
    this.#client = client;
    this.#uid = uid;
    this.#copies = copies;
    this.#newest = document;
    this.#sent = document;
    this.cid = signal(cid);
    this.saved = signal<Template | undefined>(document);
  }

  note(document: Template): void {
    if (document === this.#newest) return;
    this.#newest = document;
    // A conflict waits for the user's choice.
    if (this.state.value === 'conflict') return;
    this.answer.value = undefined;
    // What a running save replaces is not saved any more.
    if (document === this.saved.value && this.#running === undefined) this.state.value = 'saved';
    else if (this.state.value !== 'offline') this.state.value = 'unsaved';
    this.#schedule(pauseMs);
  }

  async save(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#running !== undefined) await this.#running;
    if (this.#newest === this.saved.value || this.state.value === 'conflict') return;
    await (this.#running = this.#put(this.#newest));
  }

  adopt(document: Template, cid: string): void {
    clearTimeout(this.#timer);
    this.#newest = document;
    this.#sent = document;
    this.saved.value = document;
    this.cid.value = cid;
    this.answer.value = undefined;
    this.state.value = 'saved';
  }

  meetConflict(): void {
    clearTimeout(this.#timer);
    this.saved.value = undefined;
    this.#sent = undefined;
    this.state.value = 'conflict';
  }

  follow(cid: string): void {
    this.cid.value = cid;
    this.#sent = undefined;
    this.state.value = 'unsaved';
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), ms);
  }

  /** Never rejects. */
  async #put(document: Template): Promise<void> {
    this.state.value = 'saving';
    try {
      const copy = await this.#copies.of(document);
      if (copy !== this.#sent) {
        const { cid } = await this.#client.updateTemplate(this.#uid, copy, { cid: this.cid.value });
        this.cid.value = cid;
        this.#sent = copy;
      }
      this.saved.value = document;
      this.state.value = document === this.#newest ? 'saved' : 'unsaved';
    } catch (error) {
      this.#fail(error, document);
    } finally {
      this.#running = undefined;
    }
    if (this.state.value === 'unsaved') this.#schedule(pauseMs);
  }

  #refuse(failure: Failure): void {
    this.answer.value = failure;
    this.state.value = 'refused';
  }

  #fail(error: unknown, document: Template): void {
    const status = statusOf(error);
    if (status === 412) {
      this.state.value = 'conflict';
    } else if (status === 0 || status === 429 || status >= 500) {
      this.state.value = 'offline';
      this.#schedule(retryMs);
    } else if (document === this.#newest) {
      this.#refuse(explainFailure(error));
    } else {
      this.state.value = 'unsaved';
    }
  }
}

/**
 * Saves a document as a copy of a template, with its access to links, under its name or one that is free. Rejects like
 * the client.
 */
export async function saveCopy(
  client: PlatenClient,
  uid: string,
  document: Template,
): ReturnType<PlatenClient['updateTemplate']> {
  const templates: Array<{ name: string }> = [];
  for await (const template of client.eachTemplate()) templates.push(template);
  const copy = await client.duplicateTemplate(uid);
  const name = freeName(document.name, templates);
  return client.updateTemplate(copy.uid, { ...document, name });
}

// Storage of the tab: sample values, and a draft that is not saved.

/** Returns what is stored in the tab; undefined if there is nothing or it cannot be read. */
function readStored(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value, or removes an undefined one. Does nothing if the storage is full or forbidden. */
function store(key: string, value: object | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Losing sample values is not worth a message. With an unsaved draft, the page asks the user before leaving.
  }
}

/** Returns the stored sample values of a template; empty if there are none. */
export function readValues(uid: string): Values {
  return (readStored(keyOf(uid)) as { values?: Values } | undefined)?.values ?? {};
}

/** Stores the sample values of a template. */
export function keepValues(uid: string, values: Values): void {
  store(keyOf(uid), { values });
}

/** A document that is not saved, or has unfinished values, and the content id of the draft that it replaces. */
export interface UnsavedDraft {
  document: Template;
  cid: string;
}

/** Stores such a draft of an editor over a reload or a new sign-in; removes it if the draft is saved as a whole. */
export function keepDraft({
  uid,
  whole,
  saveState,
  refusal,
  cid,
}: DraftSaving & { uid: string; whole: ReadonlySignal<Template> }): void {
  const isSaved = saveState.value === 'saved' && refusal.value === undefined;
  store(draftKeyOf(uid), isSaved ? undefined : { document: whole.value, cid: cid.value });
}

/** Returns the draft that `keepDraft` stored; undefined if there is none. */
export function readDraft(uid: string): UnsavedDraft | undefined {
  return readStored(draftKeyOf(uid)) as UnsavedDraft | undefined;
}

function keyOf(uid: string): string {
  return `platen-studio:${uid}`;
}

function draftKeyOf(uid: string): string {
  return `platen-studio-draft:${uid}`;
}

/** Calls `keep` when the user leaves the page. Returns a function that ends this. */
export function whenLeaving(keep: () => void): () => void {
  globalThis.addEventListener('pagehide', keep);
  return () => globalThis.removeEventListener('pagehide', keep);
}
