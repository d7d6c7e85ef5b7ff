/** The editor of a template: its document with undo, the selection, sample values, exact frames, and saving. */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { PreviewReport } from '../../client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { createAutosave, keepDraft, keepValues, readDraft, readValues } from './autosave.ts';
import { saveCopy, whenLeaving } from './autosave.ts';
import type { Autosave, DraftSaving, SaveState, UnsavedDraft } from './autosave.ts';
import { noteSettled, type Failure } from '../wording.ts';
import { settleLinks } from './brand.ts';
import { createFrames, drawLoaded, momentOf, scaleInWindow } from './frames.ts';
import type { Frame, PreviewMoment, Values } from './frames.ts';
import { History, shareUnchanged, watchPointer } from './history.ts';
import type { ChangeManner, HeldPointer } from './history.ts';
import { lockedLayers, Selections } from './selections.ts';
import type { Service } from './service.ts';
import { arranger } from './arrangement/arranger.ts';
import type { Edited } from './list-items.ts';
import { editInSize, showInSize, type SizeName } from './sizes.ts';
import { TypedVariables } from './typed-variables.ts';
import { ValidCopies } from './valid-copies.ts';

export type { Frame, Values, PreviewReport, SaveState };

/** The state of one open template. The values of signals are immutable: a change replaces the whole value. */
export interface Editor extends DraftSaving {
  readonly service: Service;
  readonly uid: string;
  /** `whole` as `size` shows it, edited like a document without sizes. Unchanged parts keep their identity. */
  readonly document: ReadonlySignal<Template>;
  /** The document with its sizes, as it is saved and published. */
  readonly whole: ReadonlySignal<Template>;
  /** The size of `whole` that is shown and edited; undefined for the canvas of the document. */
  readonly size: Signal<SizeName>;
  /** Returns `document`, or `whole`, without unfinished values. Never rejects. */
  validCopy(of?: 'whole'): Template | Promise<Template>;
  /** Ids of layers in paint order. Removed layers leave the selection, and return to it with undo. */
  readonly selection: Signal<readonly string[]>;
  /** Ids of layers that the canvas does not edit. */
  readonly locked: ReadonlySignal<ReadonlySet<string>>;
  /** Sample values of the preview. A variable without a sample value shows its default. */
  readonly values: Signal<Values>;
  /** The time of the preview; undefined for now. */
  readonly previewTime: Signal<PreviewMoment['time']>;
  /** The index of the previewed frame; undefined for the image as designed. */
  readonly previewFrame: Signal<number | undefined>;
  /** The scale at which the canvas shows a large image. */
  readonly previewScale: Signal<PreviewMoment['scale']>;
  /** Screen pixels per design pixel; 0 fits the image into the window. */
  readonly zoom: Signal<number>;
  /** The newest exact render. Each change requests one; while one runs, only the newest request waits. */
  readonly frame: ReadonlySignal<Frame | undefined>;
  /** The problems, with paths, of a document that could not be rendered. The previous frame stays. */
  readonly frameError: ReadonlySignal<Failure | undefined>;
  /** Requests the frame again; undefined unless `frameError` is an outage. */
  readonly retryFrame: ReadonlySignal<(() => void) | undefined>;
  /** Number of the newest requested frame: `frame` is up to date if it has this number. */
  readonly askedFrame: ReadonlySignal<number>;
  /**
   * Makes one undo step. `recipe` changes a deep copy of `document` in place; no change makes no step. Names that
   * texts bind become variables. A layer that loses a list's items keeps the first item's values, with a notice.
   * Changes of one `gesture`, such as `move:title`, are one step while the pointer is down or within 2 s of each other.
   */
  change(label: string, recipe: (draft: Template) => void, gesture?: string): void;
  /** As `change`, with a copy of `whole`: for changes of all sizes, such as of a variable or of a size itself. */
  changeWhole(label: string, recipe: (draft: Template) => void, gesture?: string): void;
  /** Sets the sample value of a variable in one undo step; `gesture` as for `change`. */
  changeSample(name: string, value: Values[string], gesture?: string): void;
  endGesture(): void;
  /** Reverts the current gesture. The gesture cannot be redone. */
  cancelGesture(): void;
  undo(): void;
  redo(): void;
  readonly canUndo: ReadonlySignal<boolean>;
  readonly canRedo: ReadonlySignal<boolean>;
  /** Labels of the steps that `undo` and `redo` apply to, such as `Move 2 layers`. */
  readonly undoLabel: ReadonlySignal<string | undefined>;
  readonly redoLabel: ReadonlySignal<string | undefined>;
  /** The published version, which publishing sets; null without one. */
  readonly publishedVersion: Signal<number | null>;
  /** Ends requests and timers; call `save` first. Changes that could not be saved are kept for the next opening. */
  close(): void;
}

/** Reads a template's draft and opens it. Rejects like the client. */
export async function loadEditor(service: Service, uid: string): Promise<Editor> {
  const { client } = service;
  // In this order, a draft that another user saves in between makes the first save a conflict.
  const { cid, version } = await client.getTemplate(uid);
  const document = (await client.getTemplateDocument(uid)) as unknown as Template;
  const editor = new TemplateEditor(service, uid, document, cid, version);
  const kept = readDraft(uid);
  if (kept !== undefined) editor.recover(kept);
  return editor;
}

/** The state after a step of the history. */
interface EditorState {
  document: Template;
  /** The size in which the step was made. */
  size?: SizeName;
  /** The change of a variable's sample value, if the step made one. */
  sample?: { name: string; before: Values[string] | undefined; after: Values[string] };
}

class TemplateEditor implements Editor {
  readonly service: Service;
  readonly uid: string;
  readonly document: ReadonlySignal<Template>;
  readonly whole: Signal<Template>;
  readonly size: Signal<SizeName>;
  readonly selection = signal<readonly string[]>([]);
  readonly locked = lockedLayers(() => this.document.value);
  readonly values: Signal<Values>;
  readonly previewTime = signal<PreviewMoment['time']>(undefined);
  readonly previewFrame = signal<number | undefined>(undefined);
  readonly previewScale: Signal<PreviewMoment['scale']>;
  readonly zoom = signal(0);
  readonly frame: ReadonlySignal<Frame | undefined>;
  readonly frameError: ReadonlySignal<Failure | undefined>;
  readonly retryFrame: ReadonlySignal<(() => void) | undefined>;
  readonly askedFrame: ReadonlySignal<number>;
  readonly undoLabel = signal<string | undefined>(undefined);
  readonly redoLabel = signal<string | undefined>(undefined);
  readonly canUndo = computed(() => this.undoLabel.value !== undefined);
  readonly canRedo = computed(() => this.redoLabel.value !== undefined);
  readonly saveState: ReadonlySignal<SaveState>;
  readonly refusal: ReadonlySignal<Failure | undefined>;
  readonly publishedVersion: Signal<number | null>;
  readonly cid: ReadonlySignal<string>;
  readonly #history: History<EditorState>;
  readonly #autosave: Autosave;
  readonly #copies: ValidCopies;
  readonly #typedVariables = new TypedVariables();
  readonly #selections = new Selections();
  readonly #ends: Array<() => void> = [];
  readonly #pointer: HeldPointer;

  constructor(
    service: Service,
    uid: string,
    document: Template,
    cid: string,
    version: number | null,
  ) {
    this.service = service;
    this.uid = uid;
    ({ whole: this.whole, size: this.size, document: this.document } = showInSize(document));
    this.previewScale = signal(scaleInWindow(document));
    this.publishedVersion = signal(version);
    this.#pointer = watchPointer(() => this.endGesture());
    this.#history = new History<EditorState>({ document });
    this.#copies = new ValidCopies(document);
    this.#autosave = createAutosave(service.client, uid, document, cid, this.#copies);
    ({ state: this.saveState, refusal: this.refusal, cid: this.cid } = this.#autosave);
    this.values = signal(readValues(uid));
    const frames = createFrames(drawLoaded(service.client), globalThis);
    ({ frame: this.frame, error: this.frameError, asked: this.askedFrame } = frames);
    this.retryFrame = frames.retry;
    this.#ends.push(
      effect(() => {
        const [shown, values, moment] = [this.document.value, this.values.value, momentOf(this)];
        untracked(() => frames.ask(shown, values, moment, () => this.validCopy()));
      }),
      effect(() => keepValues(uid, this.values.value)),
      () => this.#pointer.close(),
      whenLeaving(() => keepDraft(this)),
      () => frames.close(),
      () => this.#autosave.close(),
    );
  }

  change(label: string, recipe: (draft: Template) => void, gesture?: string): void {
    const edited = editInSize(this.whole.value, this.size.value, recipe);
    arranger.code?.arrangeNewLayers(edited.document, this.whole.value, this.size.value);
    this.#take(edited, label, gesture);
  }

  changeWhole(label: string, recipe: (draft: Template) => void, gesture?: string): void {
    this.#take(editInSize(this.whole.value, undefined, recipe), label, gesture);
  }

  #take({ document, settled }: Edited, label: string, gesture: string | undefined): void {
    settleLinks(document, this.whole.value, this.service);
    this.#typedVariables.settle(document, () => this.#copies.ofNow(this.whole.value));
    this.#step(document, label, gesture);
    noteSettled(document, settled);
  }

  changeSample(name: string, value: Values[string], gesture?: string): void {
    const manner = this.#manner(gesture);
    const newest = this.#history.merges(manner) ? this.#history.value.sample : undefined;
    const before = newest === undefined ? this.values.value[name] : newest.before;
    const sample = { name, before, after: value };
    const next = { document: this.whole.value, size: this.size.value, sample };
    this.#history.change(next, `Edit the sample value of ${name}`, manner);
    this.#show({ name, value });
  }

  endGesture(): void {
    this.#history.endGesture();
  }

  cancelGesture(): void {
    const { sample } = this.#history.value;
    if (this.#history.cancelGesture()) this.#show(sample && { ...sample, value: sample.before });
  }

  undo(): void {
    const { sample, size } = this.#history.value;
    if (!this.#history.undo()) return;
    this.#show(sample && { ...sample, value: sample.before }, size);
  }

  redo(): void {
    if (!this.#history.redo()) return;
    const { sample, size } = this.#history.value;
    this.#show(sample && { ...sample, value: sample.after }, size);
  }

  async save(): Promise<void> {
    // Before the save, because the user may leave meanwhile.
    keepDraft(this);
    await this.#autosave.save();
    if (this.saveState.value === 'saved') keepDraft(this);
  }

  validCopy(of?: 'whole'): Template | Promise<Template> {
    return this.#copies.inSize(this.whole.value, of === 'whole' ? undefined : this.size.value);
  }

  async resolveConflict(choice: 'mine' | 'theirs' | 'copy'): Promise<string | undefined> {
    const { client } = this.service;
    const copy =
      choice === 'copy'
        ? await saveCopy(client, this.uid, await this.validCopy('whole'))
        : undefined;
    const { cid } = await client.getTemplate(this.uid);
    if (choice === 'mine') {
      this.#autosave.follow(cid);
      await this.save();
      return undefined;
    }
    const theirs = (await client.getTemplateDocument(this.uid)) as unknown as Template;
    this.#step(theirs, 'Take the other version', undefined);
    this.#autosave.adopt(this.whole.value, cid);
    return copy?.uid;
  }

  meetConflict(): void {
    this.#autosave.meetConflict();
  }

  /** Restores unsaved changes of an earlier editor as a step. Saving them replaces only the draft that they changed. */
  recover({ document, cid }: UnsavedDraft): void {
    this.#step(document, 'Recover unsaved changes', undefined);
    if (this.whole.value === document) this.#autosave.follow(cid);
  }

  close(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  #step(draft: Template, label: string, gesture: string | undefined): void {
    const document = shareUnchanged(this.whole.value, draft);
    if (document === this.whole.value) return;
    this.#history.change({ document, size: this.size.value }, label, this.#manner(gesture));
    this.#show();
  }

  #manner(gesture: string | undefined): ChangeManner {
    return { gesture, nowMs: performance.now(), isHeld: this.#pointer.isDown() };
  }

  /** Shows the current step in a size, and sets the sample value that the step changes. */
  #show(
    sample?: { name: string; value: Values[string] | undefined },
    size: SizeName = this.size.value,
  ): void {
    const { value, undoLabel, redoLabel } = this.#history;
    const { document } = value;
    const selected = this.#selections.replace(this.whole.value, document, this.selection.value);
    batch(() => {
      this.selection.value = selected;
      if (sample !== undefined) {
        const { [sample.name]: _, ...others } = this.values.value;
        const sampled = sample.value === undefined ? {} : { [sample.name]: sample.value };
        this.values.value = { ...others, ...sampled };
      }
      // An undo can remove the size.
      this.size.value = document.sizes?.find(({ name }) => name === size)?.name;
      this.whole.value = document;
      this.undoLabel.value = undoLabel;
      this.redoLabel.value = redoLabel;
    });
    this.#autosave.note(document);
  }
}
