/** Layers that span the canvas from edge to edge keep doing so when its sides change. */
import type { Layer } from '#language/schema/layers.ts';
import type { TemplateSize } from '#language/schema/sizes.ts';
import type { Template } from '#language/schema/template.ts';
import { overridesOf } from '#language/sizes.ts';
import type { Editor } from './editor.ts';
import { lengthMaxPx } from './layer-sizes.ts';
import { setOverride, viewOf } from './sizes.ts';

/** Width and height of a canvas, design pixels. */
type Sides = Readonly<Pick<Template, 'width' | 'height'>>;

const sides = ['width', 'height'] as const;
const corners = { width: 'x', height: 'y' } as const;

/** Layers that may follow one side of the canvas alone, because they are not distorted. */
const barTypes: ReadonlySet<Layer['type']> = new Set([
  'rect',
  'line',
  'image',
  'text',
  'group',
  'stack',
]);

/** The newest gesture of an editor that changed its canvas. */
interface CanvasGesture {
  gesture: string | undefined;
  /** The document before the first step of the gesture. */
  start: Template;
  /** The document after its newest step. Another document means that the gesture has ended. */
  newest: Template;
}

const gestures = new WeakMap<Editor, CanvasGesture>();

/**
 * Changes properties of the document. Layers follow the sides of the canvas as they were before the gesture, because
 * the steps of a typed number, such as 8 and 80 of 800, must not decide which layers span the canvas.
 */
export function changeCanvas(
  editor: Editor,
  label: string,
  recipe: (draft: Template) => void,
  gesture: string | undefined,
): void {
  const shown = editor.document.value;
  const last = gestures.get(editor);
  const isSame = gesture !== undefined && last?.gesture === gesture && last.newest === shown;
  const start = isSame ? last.start : shown;
  editor.change(
    label,
    (draft) => {
      recipe(draft);
      followCanvas(draft, start);
    },
    gesture,
  );
  gestures.set(editor, { gesture, start, newest: editor.document.value });
}

/** Resizes the layers that spanned the canvas of `start`. In its sizes, the design stays as it was. */
function followCanvas(draft: Template, start: Template): void {
  const first = new Map(start.layers.map((layer) => [layer.id, layer]));
  for (const layer of draft.layers) {
    const before = first.get(layer.id) ?? layer;
    for (const [side, length] of spanningSides(before, start, draft)) {
      for (const { name } of draft.sizes ?? []) {
        const kept = length === before[side] ? undefined : before[side];
        setOverride(layer, name, side, overridesOf(before, name)[side] ?? kept);
      }
      layer[side] = length;
    }
  }
}

/** Resizes the layers that span the canvas of a size for its new sides. Its name is still that of `before`. */
export function followSize(draft: Template, before: TemplateSize, after: Sides): void {
  const shown = new Map(viewOf(draft, before.name).layers.map((layer) => [layer.id, layer]));
  for (const layer of draft.layers) {
    for (const [side, length] of spanningSides(shown.get(layer.id) ?? layer, before, after)) {
      if (after[side] === before[side]) continue;
      setOverride(layer, before.name, side, length === layer[side] ? undefined : length);
    }
  }
}

/** Returns the sides with which a layer that spans a canvas spans another: both, that of a bar, or none. */
function spanningSides(
  layer: Layer,
  before: Sides,
  after: Sides,
): [side: keyof Sides, length: number][] {
  const spans = sides.flatMap((side) => {
    const { [corners[side]]: start, [side]: length } = layer;
    if (typeof start !== 'number' || typeof length !== 'number') return [];
    if (start > 0 || start + length < before[side]) return [];
    return [{ side, length, isExact: start === 0 && length === before[side] }];
  });
  const isWhole = spans.length === sides.length;
  if ((layer.rotation ?? 0) !== 0 || (!isWhole && !barTypes.has(layer.type))) return [];
  return spans
    .filter(({ isExact }) => isWhole || isExact)
    .map(({ side, length }) => [
      side,
      // What lies beyond the canvas stays.
      Math.min(lengthMaxPx, length + after[side] - before[side]),
    ]);
}
