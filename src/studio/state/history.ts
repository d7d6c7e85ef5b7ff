/** Undo and redo: a bounded list of values, in which the changes of one gesture are one step. */

/** Steps that can be undone at most; the oldest is dropped first. */
export const historyStepsMax = 200;

/** Time after which an equal gesture, without a pointer held down, begins a new step, in ms. */
export const gesturePauseMs = 2000;

interface Step<Value> {
  value: Value;
  /** Label of the change from the previous step to this one, such as `Move 2 layers`. */
  label: string;
}

/** The gesture and the time of a change. */
export interface ChangeManner {
  /** Changes of one gesture are one step. */
  gesture: string | undefined;
  /** Time of a monotonic clock, in ms. */
  nowMs: number;
  /** Whether the pointer that began the gesture is still down. */
  isHeld: boolean;
}

/** A value with its past and its future. Values are compared by identity and never changed. */
export class History<Value> {
  #past: Step<Value>[] = [];
  #present: Step<Value>;
  #future: Step<Value>[] = [];
  /** Steps that could be redone before the newest step. */
  #forgotten: Step<Value>[] = [];
  /** Gesture of the newest step, until `endGesture`. */
  #gesture: string | undefined;
  #gestureMs = 0;

  constructor(value: Value) {
    this.#present = { value, label: '' };
  }

  get value(): Value {
    return this.#present.value;
  }

  /** Label of the step that `undo` would revert; undefined if there is none. */
  get undoLabel(): string | undefined {
    return this.#past.length === 0 ? undefined : this.#present.label;
  }

  /** Label of the step that `redo` would repeat; undefined if there is none. */
  get redoLabel(): string | undefined {
    return this.#future.at(-1)?.label;
  }

  /**
   * Takes a new value; false if it is the current one. The value replaces the newest step of the same `gesture` if
   * that is no older than `gesturePauseMs` or the pointer is still down (`isHeld`). Otherwise it is a new step.
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

  /** Whether a change would become part of the newest step. */
  merges({ gesture, nowMs, isHeld }: ChangeManner): boolean {
    const isSame = gesture !== undefined && gesture === this.#gesture;
    return isSame && (isHeld || nowMs - this.#gestureMs <= gesturePauseMs);
  }

  /** Reverts the step of the current gesture, and restores the steps to redo; false if there is none. */
  cancelGesture(): boolean {
    const step = this.#gesture === undefined ? undefined : this.#past.pop();
    if (step === undefined) return false;
    this.#present = step;
    this.#future = this.#forgotten;
    this.endGesture();
    return true;
  }

  /** Ends the gesture: later changes do not merge with the newest step. */
  endGesture(): void {
    this.#gesture = undefined;
  }

  /** Goes back one step; false if there is none. */
  undo(): boolean {
    const step = this.#past.pop();
    if (step === undefined) return false;
    this.#future.push(this.#present);
    this.#present = step;
    this.endGesture();
    return true;
  }

  /** Goes forward one step; false if there is none. */
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

/** Watches the pointer on the page: each press begins a new gesture, which lasts at least until the release. */
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
  // Not in the capture phase: changes that the canvas makes at the release still belong to the gesture.
  globalThis.addEventListener('pointerup', release, options);
  globalThis.addEventListener('pointercancel', release, options);
  return { isDown: () => isDown, close: () => listeners.abort() };
}

// Structural sharing between two JSON values.

/**
 * Replaces each part of `next` that equals `previous` by the part of `previous`; returns `previous` if all is equal.
 * Unchanged parts keep their identity, so comparisons are cheap and a long history is small. Changes `next` in place;
 * neither value may be changed afterwards.
 */
export function shareUnchanged<Value>(previous: unknown, next: Value): Value {
  if (Object.is(previous, next)) return next;
  if (!isContainer(previous) || !isContainer(next)) return next;
  if (Array.isArray(previous) !== Array.isArray(next)) return next;
  const keys = Object.keys(next);
  const previousKeys = Object.keys(previous);
  let isEqual = previousKeys.length === keys.length;
  // The order of the keys counts, because a document is saved in its order.
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
