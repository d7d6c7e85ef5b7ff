/** Handles for playing an animation: its plays, its frame rate, and the frames of a countdown. */
import type { TargetedPointerEvent, VNode } from 'preact';
import { animationOf, mostFrames } from '#language/animation/frames.ts';
import { Slider } from '../tools/slider.tsx';
import type { Editor } from '../../state/editor.ts';
import { motionOf } from '../../state/motion.ts';
import type { Motion } from '../../state/motion.ts';
import { followDrag } from '../gestures/follow-drag.ts';
import { canvasFramesMost, framesPerSecondMost } from './times.ts';

/** Drag that changes a value by one, screen pixels. */
const pixelsPerStep = 8;

/** Maximum of `plays`, as in the schema. */
const playsMax = 100;

interface CountHandleProps {
  editor: Editor;
  label: string;
  text: string;
  value: number;
  min: number;
  max: number;
  change: (value: number) => void;
}

/** Handle of an integer, which a horizontal drag or an arrow key changes. */
function CountHandle({ editor, ...range }: CountHandleProps): VNode {
  const { value, min, max, text, change } = range;
  const press = (event: TargetedPointerEvent<HTMLDivElement>): void =>
    followDrag(editor, event, ({ x }) =>
      change(Math.min(max, Math.max(min, value + Math.round(x / pixelsPerStep)))),
    );
  return (
    <Slider {...range} className="timeline-count" press={press}>
      {text}
    </Slider>
  );
}

/** Handle for how often an animation plays. 0 means endlessly. */
export function PlaysHandle({ editor }: { editor: Editor }): VNode | null {
  const animation = animationOf(editor.document.value);
  if (animation === undefined) return null;
  const standard = animation.type === 'countdown' ? 1 : 0;
  const { plays = standard } = animation;
  const change = (next: number): void =>
    editor.change(
      'Change how often it plays',
      (draft) => {
        // Writes the animation even if the document only implies it by a clock.
        const changed = structuredClone(animation);
        if (next === standard) delete changed.plays;
        else changed.plays = next;
        draft.animation = changed;
      },
      'plays',
    );
  const text = plays === 0 ? 'plays ∞' : plays === 1 ? 'plays once' : `plays ${plays} times`;
  return (
    <CountHandle
      editor={editor}
      label="Plays"
      text={text}
      value={plays}
      min={0}
      max={playsMax}
      change={change}
    />
  );
}

/** Handle for the frames per second of a motion. */
export function FrameRateHandle({ editor, motion }: { editor: Editor; motion: Motion }): VNode {
  const { framesPerSecond = 10 } = motion;
  const change = (next: number): void =>
    editor.change(
      'Change the frame rate',
      (draft) => {
        const changed = motionOf(draft);
        if (changed !== undefined) changed.framesPerSecond = next;
      },
      'frame-rate',
    );
  return (
    <CountHandle
      editor={editor}
      label="Frames a second"
      text={`${framesPerSecond} fps`}
      value={framesPerSecond}
      min={1}
      max={framesPerSecondMost(editor.whole.value, motion)}
      change={change}
    />
  );
}

/** Handle for the seconds that a countdown shows in a file, one frame for each. */
export function CountdownFramesHandle({ editor }: { editor: Editor }): VNode | null {
  const animation = animationOf(editor.document.value);
  if (animation?.type !== 'countdown') return null;
  const frames = mostFrames(editor.document.value);
  const change = (next: number): void =>
    editor.change(
      'Change the length',
      (draft) => void (draft.animation = { ...structuredClone(animation), frames: next }),
      'countdown-frames',
    );
  return (
    <CountHandle
      editor={editor}
      label="Seconds that it counts"
      text={`${frames} s`}
      value={frames}
      min={1}
      max={canvasFramesMost(editor.whole.value)}
      change={change}
    />
  );
}
