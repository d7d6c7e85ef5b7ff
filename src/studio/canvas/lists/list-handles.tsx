/** Handles of the selected list, for pointer and keyboard: its gap and its maximum number of items. */
import type { TargetedPointerEvent, VNode } from 'preact';
import { templateLimits } from '#language/limits/template-limits.ts';
import { Slider } from '../tools/slider.tsx';
import { lengthMaxPx } from '../../state/layer-sizes.ts';
import { findLayer } from '../../state/layers.ts';
import { toScreen } from '../canvas-state.ts';
import type { CanvasState } from '../canvas-state.ts';
import type { Point } from '../geometry.ts';
import { centerOf, rotatePoint } from '../geometry.ts';
import type { LayerGeometry } from '../layer-geometry.ts';
import { fixedNumber } from '../layer-geometry.ts';
import { followDrag } from '../gestures/follow-drag.ts';
import { pointAt } from '../gestures/gestures.ts';
import { dragSpace } from '../stack-spaces.ts';
import { itemsText, mostAfter, selectedList, setMost } from './selected-list.ts';
import type { SelectedList } from './selected-list.ts';

/** Position of the end handle as a fraction of the edge, clear of the resize and padding handles. */
const endPart = 0.8;

/** Distance from the edge to the middle of the end handle, below and beside the list, screen pixels. */
const endPx = { below: 18, beside: 42 };

export function ListHandles({ state }: { state: CanvasState }): VNode | null {
  const { editing, carried, marquee } = state;
  const isBusy = [editing, carried, marquee].some((each) => each.value !== undefined);
  const list = isBusy ? undefined : selectedList(state);
  if (list === undefined || list.drawn === 0) return null;
  return (
    <>
      <GapHandle state={state} list={list} />
      <EndHandle state={state} list={list} />
    </>
  );
}

interface HandleProps {
  state: CanvasState;
  list: SelectedList;
}

function GapHandle({ state, list }: HandleProps): VNode | null {
  const { position, gap, stack } = list;
  if (gap === undefined) return null;
  const px = fixedNumber(stack.gap ?? 0) ?? 0;
  const change = (next: number): void =>
    state.editor.change(
      'Change gap',
      (draft) => {
        const changed = findLayer(draft, position.id);
        if (changed?.type !== 'stack') return;
        const delta = { x: 0, y: next - px };
        dragSpace(changed, stack, 'gap-y', delta, { sides: 'one', isMirrored: false });
      },
      `gap:${position.id}`,
    );
  return (
    <Slider
      className="list-gap"
      label="Gap between items"
      text={`${px} px`}
      value={px}
      min={0}
      max={lengthMaxPx}
      isVertical={!gap.isAcross}
      style={placed(state, position, gap.handle, { x: 0, y: 0 })}
      data={{ 'data-handle': 'space', 'data-space': gap.name }}
      change={change}
    />
  );
}

function EndHandle({ state, list }: HandleProps): VNode {
  const { position, most, isAcross, isMirrored } = list;
  const press = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    // Keeps the press from the canvas.
    event.stopPropagation();
    const canvas = event.currentTarget.closest('.canvas-window') ?? event.currentTarget;
    followDrag(
      state.editor,
      event,
      ({ x, y }, moved) => {
        const { zoom } = state.view.value;
        const along = rotatePoint({ x: x / zoom, y: y / zoom }, -position.seen.rotation);
        const next = mostAfter(list, isAcross ? along.x * (isMirrored ? -1 : 1) : along.y);
        const text = itemsText({ ...list, most: next });
        state.hint.value = { text, at: pointAt(state, canvas, moved) };
        setMost(state, position.id, next);
      },
      () => (state.hint.value = undefined),
    );
  };
  const { x, y, width, height } = position.box;
  const at = isAcross
    ? { x: isMirrored ? x : x + width, y: y + height * endPart }
    : { x: x + width * endPart, y: y + height };
  const out = isAcross
    ? { x: endPx.beside * (isMirrored ? -1 : 1), y: 0 }
    : { x: 0, y: endPx.below };
  return (
    <Slider
      className="list-end"
      label="Most items"
      text={itemsText(list)}
      value={most}
      min={1}
      max={templateLimits.listItemsMax}
      isVertical={!isAcross}
      style={placed(state, position, at, out)}
      data={{ 'data-handle': 'items' }}
      press={press}
      change={(next) => setMost(state, position.id, next)}
    >
      {`≤ ${most} ${most === 1 ? 'item' : 'items'}`}
    </Slider>
  );
}

/** Style that puts an element `out` screen pixels from a point in a layer's space. */
function placed(
  { view }: CanvasState,
  { seen, box }: LayerGeometry,
  { x, y }: Point,
  out: Point,
): Record<string, string> {
  const center = centerOf(seen);
  const middle = centerOf(box);
  const turned = rotatePoint({ x: x - middle.x, y: y - middle.y }, seen.rotation);
  const at = toScreen(view.value, { x: center.x + turned.x, y: center.y + turned.y });
  const away = rotatePoint(out, seen.rotation);
  return { left: `${at.x + away.x}px`, top: `${at.y + away.y}px` };
}
