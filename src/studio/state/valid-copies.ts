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
      const isValid = differsInBoxes(document, this.#last);
      if (isValid) {
        this.#last = document;
        this.unfinished.value = undefined;
      }
      const copy = isValid ? Promise.resolve(document) : this.#copy(document);
      this.#newest = { document, copy };
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

/** Numbers of a layer that gestures and arrow keys change, and the bounds in which they are valid. */
const boxBounds: Readonly<Record<string, readonly [min: number, max: number]>> = {
  x: [-16_384, 16_384],
  y: [-16_384, 16_384],
  width: [1, 16_384],
  height: [1, 16_384],
  rotation: [-360, 360],
};

/**
 * Whether a document has no other changes to a valid one than boxes of layers, and so is valid. The check takes 7 to 30
 * ms for 200 layers, before each frame of a gesture.
 */
export function differsInBoxes(document: Template, valid: Template): boolean {
  return isSame(document, valid, (name, now, before) => {
    return name === 'layers' && isSameList(now, before);
  });
}

function isSameList(now: unknown, before: unknown): boolean {
  if (!Array.isArray(now) || !Array.isArray(before) || now.length !== before.length) return false;
  return now.every((layer, index) => {
    return isSame(layer as object, before[index] as object, (name, value, earlier) => {
      if (name === 'layers') return isSameList(value, earlier);
      const [min, max] = boxBounds[name] ?? [Infinity, -Infinity];
      const isNumber = typeof value === 'number' && typeof earlier === 'number';
      return isNumber && value >= min && value <= max;
    });
  });
}

/** Whether two objects have the same properties, apart from those that `mayDiffer` accepts. */
function isSame(
  now: object,
  before: object,
  mayDiffer: (name: string, now: unknown, before: unknown) => boolean,
): boolean {
  if (now === before) return true;
  const names = Object.keys(now);
  if (names.length !== Object.keys(before).length) return false;
  return names.every((name) => {
    const [value, earlier] = [Reflect.get(now, name), Reflect.get(before, name)];
    return value === earlier || mayDiffer(name, value, earlier);
  });
}
