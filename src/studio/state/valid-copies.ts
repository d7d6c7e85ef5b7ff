/** Valid copies of a document that is being edited, for saving and rendering: what is unfinished is not sent. */
import { signal } from '@preact/signals';
import type { TemplateProblem } from '#language/check/template-problems.ts';
import type { Template } from '#language/schema/template.ts';
import { failureOf } from '../wording.ts';
import type { Failure } from '../wording.ts';
import { shareUnchanged } from './history.ts';

/** The check of the service, as `src/language/browser-check.ts` exports it. */
interface Check {
  validCopy: (
    document: Template,
    last: Template,
  ) => { document: Template; problems: readonly TemplateProblem[] };
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
  #last: Template;
  #newest: { document: Template; copy: Promise<Template> };

  /** `document` is valid. `load` is for tests. */
  constructor(document: Template, load = loadCheck) {
    this.#load = load;
    this.#last = document;
    this.#newest = { document, copy: Promise.resolve(document) };
  }

  /**
   * Returns a copy of a document that the service takes; the document itself if it is valid, or if the check cannot be
   * loaded. A copy that equals the previous one is the same object. Never rejects.
   */
  of(document: Template): Promise<Template> {
    if (document !== this.#newest.document) {
      this.#newest = { document, copy: this.#copy(document) };
    }
    return this.#newest.copy;
  }

  async #copy(document: Template): Promise<Template> {
    const check = await this.#load();
    if (check === undefined) return document;
    const { document: valid, problems } = check.validCopy(document, this.#last);
    const copy = valid === document ? document : shareUnchanged(this.#last, valid);
    this.#last = copy;
    if (document === this.#newest.document) {
      this.unfinished.value = problems.length === 0 ? undefined : failureOf(problems);
    }
    return copy;
  }
}
