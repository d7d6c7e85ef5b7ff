/** Undo and redo: a bounded row of values, where the changes of one gesture are one step. */

/** Steps that can be undone; the oldest is forgotten first. */
export const historyStepsMax = 200;

/** Milliseconds after which an equal gesture, without a pointer held down, begins a new step. */
export const gesturePauseMs = 2000;

interface Step<Value> {
  value: Value;
  /** What led from the step before to this one, for people: `Move 2 layers`. */
  label: string;
}

/** How a change came about. */
export interface ChangeManner {
  /** Changes of one gesture are one step. */
  gesture: string | undefined;
  /** Of a clock that only goes forward. */
  nowMs: number;
  /** The pointer that began the gesture is still down. */
  isHeld: boolean;
}

/** A value with its past and its future. Values are compared by identity and never changed. */
export class History<Value> {
  #past: Step<Value>[] = [];
  #present: Step<Value>;
  #future: Step<Value>[] = [];
  /** What the newest step made impossible to redo. */
  #forgotten: Step<Value>[] = [];
  /** Of the newest step, as long as another change of it would merge. */
  #gesture: string | undefined;
  #gestureMs = 0;

  constructor(value: Value) {
    this.#present = { value, label: '' };
  }

  get value(): Value {
    return this.#present.value;
  }

  /** What `undo` would take back; undefined when there is nothing. */
  get undoLabel(): string | undefined {
    return this.#past.length === 0 ? undefined : this.#present.label;
  }

  /** What `redo` would do again; undefined when there is nothing. */
  get redoLabel(): string | undefined {
    return this.#future.at(-1)?.label;
  }

  /**
   * Takes a new value; false when it is the present one. It replaces the newest step when that is of the same
   * `gesture` and either no longer ago than `gesturePauseMs` or `isHeld`: the pointer that began it is still down.
   */
  change(value: Value, label: string, manner: ChangeManner): boolean {
    if (value === this.#present.value) return false;
    if (!this.merges(manner)) {
      this.#past.push(this.#present);
      if (this.#past.length > historyStepsMax) this.#past.shift();
      this.#forgotten = this.#future;
    }
    this.#present = { value, label };
    this.#future = [];
    this.#gesture = manner.gesture;
    this.#gestureMs = manner.nowMs;
    return true;
  }

  /** Whether such a change would become part of the newest step. */
  merges({ gesture, nowMs, isHeld }: ChangeManner): boolean {
    const isSame = gesture !== undefined && gesture === this.#gesture;
    return isSame && (isHeld || nowMs - this.#gestureMs <= gesturePauseMs);
  }

  /** Takes back the step of the gesture that runs as if it had never been; false when there is none. */
  cancelGesture(): boolean {
    const step = this.#gesture === undefined ? undefined : this.#past.pop();
    if (step === undefined) return false;
    this.#present = step;
    this.#future = this.#forgotten;
    this.endGesture();
    return true;
  }

  /** From now on no change merges with those before. */
  endGesture(): void {
    this.#gesture = undefined;
  }

  /** Goes back a step; false when there is none. */
  undo(): boolean {
    const step = this.#past.pop();
    if (step === undefined) return false;
    this.#future.push(this.#present);
    this.#present = step;
    this.endGesture();
    return true;
  }

  /** Goes forward again; false when there is nothing to redo. */
  redo(): boolean {
    const step = this.#future.pop();
    if (step === undefined) return false;
    this.#past.push(this.#present);
    this.#present = step;
    this.endGesture();
    return true;
  }
}

/** Whether the pointer is down. */
export interface HeldPointer {
  isDown(): boolean;
  close(): void;
}

/** Watches the page: a press begins a gesture of its own, and what follows until the release belongs to it. */
export function watchPointer(onPress: () => void): HeldPointer {
  const listeners = new AbortController();
  const options = { signal: listeners.signal };
  let isDown = false;
  const press = (): void => {
    isDown = true;
    onPress();
  };
  const release = (): void => {
    isDown = false;
  };
  globalThis.addEventListener('pointerdown', press, { ...options, capture: true });
  // Not before the canvas: what it does at the release is still part of the gesture.
  globalThis.addEventListener('pointerup', release, options);
  globalThis.addEventListener('pointercancel', release, options);
  return { isDown: () => isDown, close: () => listeners.abort() };
}

// Structural sharing between two JSON values.

/**
 * `next` with every part that equals `previous` replaced by the part of `previous`, and `previous` itself where all is
 * equal: what has not changed keeps its identity, which makes a comparison cheap and a long history small. Changes
 * `next` in place; neither value may be changed afterwards.
 */
export function shareUnchanged<Value>(previous: unknown, next: Value): Value {
  if (Object.is(previous, next)) return next;
  if (!isContainer(previous) || !isContainer(next)) return next;
  if (Array.isArray(previous) !== Array.isArray(next)) return next;
  const keys = Object.keys(next);
  const previousKeys = Object.keys(previous);
  let isEqual = previousKeys.length === keys.length;
  // The order of the keys counts: a document is saved as it stands.
  for (const [index, key] of keys.entries()) {
    const shared = shareUnchanged(previous[key], next[key]);
    (next as Record<string, unknown>)[key] = shared;
    if (!Object.is(shared, previous[key]) || previousKeys[index] !== key) isEqual = false;
  }
  return isEqual ? (previous as Value) : next;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
