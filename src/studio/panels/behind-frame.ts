/**
 * Renders the panels behind the exact frame: a key on the canvas requests a frame, and rendering panels takes longer than
 * the service takes to answer.
 */
import { batch, effect, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Template } from '#language/schema/template.ts';
import { isCanvasFocused } from './parts.ts';
import type { Editor, Frame } from '../state/editor.ts';

/** A signal whose value is always the newest. A component that reads it may render later than the value changes. */
export type Newest<Value> = Pick<ReadonlySignal<Value>, 'value'>;

/**
 * Signals of an editor for components beside the canvas. While the canvas has the focus, a change renders them after the
 * paint of its frame, or `lateAfterMs` after the change. A computed signal may miss a change until then.
 */
export interface BehindFrame {
  readonly document: Newest<Template>;
  readonly whole: Newest<Template>;
  /** Waits for its own paint whatever has the focus, unless a change of the document renders at once. */
  readonly frame: Newest<Frame | undefined>;
  /** Renders what waits. Called when the focus leaves the canvas for a control of a panel. */
  renderNow(): void;
}

/** Longest delay of a render after a change, in ms: for a frame that is late, and for a page that is not painted. */
const lateAfterMs = 80;

const known = new WeakMap<Editor, BehindFrame>();

/** Returns the signals of an editor. */
export function behindFrame(editor: Editor): BehindFrame {
  const found = known.get(editor) ?? createBehindFrame(editor);
  known.set(editor, found);
  return found;
}

function createBehindFrame({ document, whole, frame, askedFrame }: Editor): BehindFrame {
  /** Numbers of renders, which the components read. */
  const waiting = new Set<Signal<number>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const render = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const due = [...waiting];
    waiting.clear();
    batch(() => {
      for (const renders of due) renders.value += 1;
    });
  };
  const follow = <Value>(
    source: ReadonlySignal<Value>,
    mayWait: () => boolean = isCanvasFocused,
  ): Newest<Value> => {
    const renders = signal(0);
    source.subscribe(() => {
      waiting.add(renders);
      // A user who edits in a panel looks at it, and its controls write what they were rendered with.
      if (mayWait()) timer ??= setTimeout(render, lateAfterMs);
      else render();
    });
    return {
      get value() {
        void renders.value;
        return source.peek();
      },
    };
  };
  effect(() => {
    if (frame.value?.number !== askedFrame.peek()) return;
    // The first callback runs before the paint of the image, the second after it.
    requestAnimationFrame(() => requestAnimationFrame(render));
  });
  return {
    document: follow(document),
    whole: follow(whole),
    frame: follow(frame, () => true),
    renderNow: render,
  };
}
