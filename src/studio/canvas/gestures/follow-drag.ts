/** Drags of sliders, from press to release. Escape reverts a drag. */
import type { Editor } from '../../state/editor.ts';
import type { Point } from '../geometry.ts';

/** Calls `move` with the movement since the press, in screen pixels, and `end` once. */
export function followDrag(
  editor: Editor,
  press: PointerEvent,
  move: (by: Point, event: PointerEvent) => void,
  end: () => void = () => undefined,
): void {
  const { currentTarget: target, pointerId, clientX, clientY } = press;
  if (press.button !== 0 || !(target instanceof HTMLElement)) return;
  const ending = new AbortController();
  const { signal } = ending;
  const onMove = (event: PointerEvent): void =>
    move({ x: event.clientX - clientX, y: event.clientY - clientY }, event);
  target.setPointerCapture(pointerId);
  target.addEventListener('pointermove', onMove, { signal });
  target.addEventListener(
    'lostpointercapture',
    () => {
      ending.abort();
      end();
      editor.endGesture();
    },
    { signal },
  );
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopImmediatePropagation();
    target.releasePointerCapture(pointerId);
    editor.cancelGesture();
  };
  globalThis.addEventListener('keydown', onKey, { signal, capture: true });
}
