/** Chooses the point of a picture that stays in sight when it is cut. */
import type { VNode } from 'preact';
import { followPointer } from '../follow-pointer.ts';
import type { Target } from '../target.ts';
import type { Field } from './schema-fields.ts';
import { useThumbnail } from '../layers/thumbnail-view.tsx';
import { imageThumbnail } from '../layers/thumbnails.ts';

/** Pixels of the longer side of the picture that is pressed on. */
const sidePx = 220;

/** How far an arrow key moves it, as a part of the picture. */
const keyStep = 0.02;

/** Shown where a picture is cut to its box and does not choose its own part. */
export function FocusPoint({ target, source }: { target: Target; source: string }): VNode | null {
  const { service } = target.editor;
  const fit = target.read(['fit']);
  const isCut = (fit === undefined || fit === 'cover') && target.read(['smartCrop']) !== true;
  const key = isCut ? source : undefined;
  const { thumbnail } = useThumbnail(key, () => imageThumbnail(service, source, sidePx));
  if (!isCut || thumbnail?.naturalWidth === undefined) return null;
  const { naturalWidth = 1, naturalHeight = 1 } = thumbnail;
  const scale = sidePx / Math.max(naturalWidth, naturalHeight);
  const [width, height] = [naturalWidth * scale, naturalHeight * scale];
  const [x, y] = [partOf(target.read(['focusX'])), partOf(target.read(['focusY']))];
  if (x === undefined || y === undefined) return null;
  const set = (nextX: number, nextY: number, gesture: string): void => {
    target.write(fieldOf('focusX'), ['focusX'], rounded(nextX), { gesture });
    target.write(fieldOf('focusY'), ['focusY'], rounded(nextY), { gesture });
  };
  const follow = followPointer((nextX, nextY) => set(nextX, nextY, 'focus'));
  const onKeyDown = (event: KeyboardEvent): void => {
    const way = keyWays[event.key];
    if (way === undefined) return;
    event.preventDefault();
    set(x + way[0] * keyStep, y + way[1] * keyStep, 'focus');
  };
  return (
    <div
      class="p-focus"
      role="slider"
      tabindex={0}
      aria-label="Point of the picture that stays in sight"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(x * 100)}
      aria-valuetext={`${Math.round(x * 100)} % from the left, ${Math.round(y * 100)} % from the top`}
      title="What stays in sight when the picture is cut"
      style={{ width: `${width}px`, height: `${height}px` }}
      onKeyDown={onKeyDown}
      {...follow}
    >
      <img src={thumbnail.url} alt="" draggable={false} />
      <span class="p-focus-knob" style={{ left: `${x * 100}%`, top: `${y * 100}%` }} />
    </div>
  );
}

const keyWays: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Both are parts whose absence means the middle. */
function fieldOf(name: 'focusX' | 'focusY'): Field {
  return {
    name,
    label: 'Focus point',
    hint: '',
    kind: { type: 'number', min: 0, max: 1, whole: false, unit: '%', isPart: true },
    isBindable: true,
    isRequired: false,
    standard: 0.5,
  };
}

/** Undefined where it is bound or the layers differ. */
function partOf(value: unknown): number | undefined {
  if (value === undefined) return 0.5;
  return typeof value === 'number' ? value : undefined;
}

function rounded(part: number): number {
  return Math.round(Math.min(1, Math.max(0, part)) * 1000) / 1000;
}
