/** The gesture that drags a gap or a padding of the selected stack. */
import { batch } from '@preact/signals';
import { isRightToLeft } from '#language/writing-direction.ts';
import { findLayer } from '../../state/layers.ts';
import type { CanvasState } from '../canvas-state.ts';
import { selectedPositions } from '../commands.ts';
import type { Point } from '../geometry.ts';
import { rotatePoint } from '../geometry.ts';
import { dragSpace } from '../stack-spaces.ts';
import type { SpaceName } from '../stack-spaces.ts';
import type { Gesture } from './transform.ts';

/** Changes a space by whole design pixels. Alt changes opposite paddings together, alt with shift all four. */
export function dragStack(state: CanvasState, name: SpaceName, from: Point): Gesture | undefined {
  const { editor, hint } = state;
  const [position] = selectedPositions(editor);
  if (position?.layer.type !== 'stack') return undefined;
  const { id, layer: before, seen } = position;
  const isMirrored = isRightToLeft(editor.document.value.lang ?? '');
  const what = name.startsWith('gap') ? 'gap' : 'padding';
  return {
    move(point, { altKey, shiftKey }) {
      const delta = rotatePoint({ x: point.x - from.x, y: point.y - from.y }, -seen.rotation);
      const sides = altKey ? (shiftKey ? 'all' : 'opposite') : 'one';
      batch(() => {
        editor.change(
          `Change ${what}`,
          (draft) => {
            const stack = findLayer(draft, id);
            if (stack?.type !== 'stack') return;
            const px = dragSpace(stack, before, name, delta, { sides, isMirrored });
            hint.value = { text: `${what === 'gap' ? 'Gap' : 'Padding'} ${px}`, at: point };
          },
          `${what}:${id}`,
        );
      });
    },
    end: () => (hint.value = undefined),
    changes: true,
  };
}
