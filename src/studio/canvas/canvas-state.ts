/** What the parts of one canvas share: the view, the places of layers, and what a gesture shows while it runs. */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Template } from '#language/schema/template.ts';
import type { Editor, Frame } from '../state/editor.ts';
import type { Box, Point, Rect } from './geometry.ts';
import type { Place } from './places.ts';
import { placeLayers } from './places.ts';
import type { Guide } from './gestures/snapping.ts';
import { nextZoom } from './view.ts';
import type { Size, View } from './view.ts';

/** The state of a canvas. Lengths of `view` and `window` are screen pixels, all others design pixels. */
export interface CanvasState {
  readonly editor: Editor;
  readonly view: Signal<View>;
  readonly window: Signal<Size>;
  /** Every layer in paint order. */
  readonly places: ReadonlySignal<readonly Place[]>;
  /** Those that are selected, as they are seen. */
  readonly selected: ReadonlySignal<readonly Place[]>;
  /** The innermost group that one has stepped into. */
  readonly entered: Signal<string | undefined>;
  /** The layer under the pointer, to be outlined. */
  readonly hovered: Signal<Box | undefined>;
  readonly guides: Signal<readonly Guide[]>;
  readonly marquee: Signal<Rect | undefined>;
  /** What a gesture tells about itself at the pointer: `320 × 80`, `15°`. */
  readonly hint: Signal<{ text: string; at: Point } | undefined>;
  /** How far the carried bitmap is from where it was drawn; undefined while nothing is carried. */
  readonly carried: Signal<Carried | undefined>;
  readonly editing: Signal<Editing | undefined>;
  /** While a text with bindings is typed: the picture that shows them as they are written. */
  readonly typing: Signal<Frame | undefined>;
  /** What is on the canvas while nothing is carried. */
  readonly shown: ReadonlySignal<Frame | undefined>;
  readonly isSpaceDown: Signal<boolean>;
  /** A picture is held over the canvas, to be dropped. */
  readonly isDropTarget: Signal<boolean>;
  /** The picture that is being stored, and how far that is, from 0 to 1; undefined: one cannot tell. */
  readonly uploading: Signal<{ name: string; part: number | undefined } | undefined>;
}

/** The text layer that is edited in place. */
export interface Editing {
  id: string;
  /** Its text, also where that is one variable alone, whose sample value would be edited. */
  isText: boolean;
}

/** A bitmap of layers that is moved, or turned about a point, until the exact picture is there. */
export interface Carried {
  /** Of the canvas. */
  delta: Point;
  angle: number;
  center: Point;
  /** The gesture is over: the next picture of the newest document takes its place. */
  isDropped: boolean;
  ids: readonly string[];
  /** The document before the gesture: what the bitmap is drawn from. */
  from: Template;
}

/** Views of the editors that a canvas shows, for commands that know the editor alone. */
const views = new WeakMap<Editor, ReadonlySignal<View>>();

/** Shows the picture one usual step larger (1) or smaller (-1). */
export function stepZoom(editor: Editor, direction: 1 | -1): void {
  const zoom = views.get(editor)?.value.zoom ?? 1;
  editor.zoom.value = nextZoom(zoom, direction);
}

export function createCanvasState(editor: Editor): CanvasState {
  const view = signal<View>({ x: 0, y: 0, zoom: 1 });
  views.set(editor, view);
  const typing = signal<Frame | undefined>(undefined);
  const places = computed(() => placeLayers(editor.document.value, editor.frame.value?.report));
  const selected = computed(() => {
    const ids = new Set(editor.selection.value);
    return places.value.filter(({ id }) => ids.has(id));
  });
  return {
    editor,
    places,
    selected,
    view,
    window: signal({ width: 0, height: 0 }),
    entered: signal(undefined),
    hovered: signal(undefined),
    guides: signal([]),
    marquee: signal(undefined),
    hint: signal(undefined),
    carried: signal(undefined),
    editing: signal(undefined),
    typing,
    shown: computed(() => typing.value ?? editor.frame.value),
    isSpaceDown: signal(false),
    isDropTarget: signal(false),
    uploading: signal(undefined),
  };
}
