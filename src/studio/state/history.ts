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

/** A value with its past and its future. Values are compared by identity and never changed. */
export class History<Value> {
  #past: Step<Value>[] = [];
  #present: Step<Value>;
  #future: Step<Value>[] = [];
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
  change(
    value: Value,
    label: string,
    { gesture, nowMs, isHeld }: { gesture: string | undefined; nowMs: number; isHeld: boolean },
  ): boolean {
    if (value === this.#present.value) return false;
    const isSame = gesture !== undefined && gesture === this.#gesture;
    const merges = isSame && (isHeld || nowMs - this.#gestureMs <= gesturePauseMs);
    if (!merges) {
      this.#past.push(this.#present);
      if (this.#past.length > historyStepsMax) this.#past.shift();
    }
    this.#present = { value, label };
    this.#future = [];
    this.#gesture = gesture;
    this.#gestureMs = nowMs;
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
