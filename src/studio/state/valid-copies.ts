/** Valid copies of a document that is being edited, for saving and rendering: what is unfinished is not sent. */
import { signal } from '@preact/signals';
import type { ValidCopy } from '#language/check/box-changes.ts';
import type { Template } from '#language/schema/template.ts';
import { failureOf, isOfLayers } from '../wording.ts';
import type { Failure } from '../wording.ts';
import { shareUnchanged } from './history.ts';
import { viewOf, type SizeName } from './sizes.ts';
import { limitTexts } from './typed-variables.ts';

/** The check of the service, as `src/language/browser-check.ts` exports it. */
interface Check {
  validCopy: (source: Template, previous: ValidCopy) => ValidCopy;
}

let loading: Promise<Check | undefined> | undefined;

/** Loads the check once per page. Undefined without an answer; the next call then tries again. */
export function loadCheck(): Promise<Check | undefined> {
  // A file of its own in the folder of the script. It is larger than the first load may be.
  loading ??= import(new URL('check.js', import.meta.url).href).catch(() => {
    loading = undefined;
  }) as Promise<Check | undefined>;
  return loading;
}

/** The valid copies of one editor. */
export class ValidCopies {
  /** What the newest copy leaves out; undefined if the document is valid. */
  readonly unfinished = signal<Failure | undefined>(undefined);
  readonly #load: () => Promise<Check | undefined>;
  /** Undefined until the check is loaded. */
  #check: Check | undefined;
  #last: ValidCopy;
  /** The problems in `unfinished`, which stay the same while layers are dragged. */
  #reported: ValidCopy['problems'] = [];
  #newest: { document: Template; copy: Template | Promise<Template> };

  /** `document` is valid. `load` is for tests. */
  constructor(document: Template, load = loadCheck) {
    this.#load = load;
    this.#last = { source: document, document, problems: [] };
    this.#newest = { document, copy: document };
  }

  /**
   * Returns a copy of a document that the service takes; the document itself if it is valid, or if the check cannot be
   * loaded. A copy that equals the previous one is the same object. Once the check is loaded, answers at once: a request
   * for a frame must leave before the page renders its panels. Never rejects.
   */
  of(document: Template): Template | Promise<Template> {
    if (document !== this.#newest.document) {
      this.#newest = { document, copy: document };
      const copy =
        this.#check === undefined ? this.#loadAndCopy(document) : this.#copy(document, this.#check);
      this.#newest = { document, copy };
    }
    return this.#newest.copy;
  }

  /** As `of`, but the document itself while the check is being loaded. */
  ofNow(document: Template): Template {
    const copy = this.of(document);
    return copy instanceof Promise ? document : copy;
  }

  /** As `of`, as the document is in one of its sizes. */
  inSize(document: Template, size: SizeName): Template | Promise<Template> {
    const copy = this.of(document);
    return copy instanceof Promise ? copy.then((each) => viewOf(each, size)) : viewOf(copy, size);
  }

  async #loadAndCopy(document: Template): Promise<Template> {
    this.#check = await this.#load();
    const copy = this.#check === undefined ? document : this.#copy(document, this.#check);
    if (document === this.#newest.document) this.#newest = { document, copy };
    return copy;
  }

  #copy(document: Template, check: Check): Template {
    const { document: valid, problems } = check.validCopy(document, this.#last);
    const copy = valid === document ? document : shareUnchanged(this.#last.document, valid);
    const last = { source: document, document: copy, problems };
    this.#last = last;
    if (document === this.#newest.document && problems !== this.#reported) {
      this.#reported = problems;
      const isTooLong = (): boolean => {
        const limited = structuredClone(document);
        limitTexts(limited);
        return check.validCopy(limited, last).problems.length < problems.length;
      };
      this.unfinished.value =
        problems.length === 0
          ? undefined
          : { ...failureOf(problems), isTooLong: problems.some(isOfLayers) && isTooLong() };
    }
    return copy;
  }
}
