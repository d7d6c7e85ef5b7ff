/** Timeline of an animation of type `values`: one block for each frame, as wide as its duration. */
import type { TargetedKeyboardEvent, TargetedPointerEvent, VNode } from 'preact';
import { animationCanvasFrames } from '#language/animation/frames.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { toolButton } from '../../panels/fields/structured.tsx';
import { Slider } from '../tools/slider.tsx';
import type { Editor } from '../../state/editor.ts';
import { followDrag } from '../gestures/follow-drag.ts';
import { percent, playheadOf, Ruler, TimelineFrame, TimelineHead } from './head.tsx';
import { valueText } from '../../publish/differences.ts';
import { StepValues } from './step-values.tsx';
import type { ChangeSteps, Step, Steps } from './step-values.tsx';

/** Bounds of the duration of a frame, as in the schema, and the step of a drag, seconds. */
const [secondsMin, secondsMax, secondsStep] = [0.02, 60, 0.1];

export function StepsTimeline({ editor, steps }: { editor: Editor; steps: Steps }): VNode {
  const { frames } = steps;
  const seconds = frames.reduce((sum, step) => sum + step.seconds, 0);
  const begins = frames.map((_, at) =>
    frames.slice(0, at).reduce((sum, step) => sum + step.seconds, 0),
  );
  const playhead = playheadOf(editor, (frame) => (begins[frame] ?? 0) / seconds);
  const change: ChangeSteps = (label, recipe, gesture) =>
    editor.change(
      label,
      ({ animation }) => {
        if (animation?.type === 'values') recipe(animation.frames);
      },
      gesture,
    );
  const { shown } = playhead;
  const last = frames.length - 1;
  const most = Math.min(templateLimits.framesMax, animationCanvasFrames(editor.document.value));
  const add = (): void => {
    const at = shown ?? last;
    change('Add a frame', (stored) => {
      const [copied] = stored.slice(at);
      if (copied !== undefined) stored.splice(at + 1, 0, structuredClone(copied));
    });
    editor.previewFrame.value = at + 1;
  };
  return (
    <TimelineFrame playhead={playhead}>
      <TimelineHead editor={editor} playhead={playhead}>
        <span class="timeline-fields">
          {shown === undefined || last === 0
            ? null
            : toolButton('trash', 'Delete the frame', () =>
                change('Delete the frame', (stored) => stored.splice(shown, 1)),
              )}
          <button type="button" class="quiet-button" disabled={frames.length >= most} onClick={add}>
            Add a frame
          </button>
        </span>
      </TimelineHead>
      <StepValues editor={editor} steps={steps} at={shown} change={change} />
      <div class="timeline-rows" data-steps>
        <Ruler editor={editor} playhead={playhead} seconds={seconds} />
        <div class="timeline-lane">
          {frames.map((step, at) => (
            <StepBlock
              key={at}
              editor={editor}
              frames={frames}
              step={step}
              at={at}
              begin={(begins[at] ?? 0) / seconds}
              total={seconds}
              isShown={shown === at}
              change={change}
            />
          ))}
        </div>
      </div>
    </TimelineFrame>
  );
}

const keySteps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

function moveFrame(stored: Step[], from: number, to: number): void {
  stored.splice(to, 0, ...stored.splice(from, 1));
}

/** Index of a frame after a drag by some seconds. It passes a neighbour at half of its duration. */
function positionAfter(frames: readonly Step[], at: number, bySeconds: number): number {
  let to = at;
  let left = Math.abs(bySeconds);
  const way = Math.sign(bySeconds);
  for (;;) {
    const next = frames[to + way];
    if (way === 0 || next === undefined || left < next.seconds / 2) return to;
    left -= next.seconds;
    to += way;
  }
}

interface StepBlockProps {
  editor: Editor;
  frames: readonly Step[];
  step: Step;
  at: number;
  /** Start of the frame as a fraction of the total time, from 0 to 1. */
  begin: number;
  /** Duration of all frames, seconds. */
  total: number;
  isShown: boolean;
  change: ChangeSteps;
}

/** Event handlers that move a block in time: by a drag, and by Alt with an arrow key. */
function carriage({ editor, frames, at, total, change }: StepBlockProps) {
  const move = (from: number, to: number): void => {
    change('Move the frame', (stored) => moveFrame(stored, from, to), 'order-frames');
    editor.previewFrame.value = to;
  };
  const carry = (event: TargetedPointerEvent<HTMLButtonElement>): void => {
    const width = event.currentTarget.parentElement?.clientWidth ?? 1;
    let now = at;
    editor.previewFrame.value = at;
    followDrag(editor, event, ({ x }) => {
      const next = positionAfter(frames, at, (x / width) * total);
      if (next !== now) move(now, next);
      now = next;
    });
  };
  const order = (event: TargetedKeyboardEvent<HTMLButtonElement>): void => {
    const by = event.altKey ? (keySteps[event.key] ?? 0) : 0;
    const to = at + by;
    if (by === 0 || to < 0 || to >= frames.length) return;
    event.preventDefault();
    move(at, to);
    editor.endGesture();
    const blocks = event.currentTarget.parentElement?.querySelectorAll('button');
    blocks?.[to]?.focus();
  };
  return { carry, order };
}

function StepBlock(props: StepBlockProps): VNode {
  const { editor, step, at, begin, total, isShown, change } = props;
  const { seconds, values } = step;
  const texts = Object.values(values).map((value) => valueText(value));
  const { carry, order } = carriage(props);
  const number = at + 1;
  const setSeconds = (next: number): void => {
    const bounded = Math.min(secondsMax, Math.max(secondsMin, next));
    change(
      'Change the time',
      (stored) => {
        const changed = stored[at];
        if (changed !== undefined) changed.seconds = Math.round(bounded * 1000) / 1000;
      },
      `seconds:${at}`,
    );
  };
  const press = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    const width = event.currentTarget.parentElement?.clientWidth ?? 1;
    followDrag(editor, event, ({ x }, { ctrlKey, metaKey }) => {
      const next = seconds + (x / width) * total;
      const isFree = ctrlKey || metaKey;
      setSeconds(
        isFree ? next : Math.max(secondsStep, Math.round(next / secondsStep) * secondsStep),
      );
    });
  };
  return (
    <>
      <button
        type="button"
        class="timeline-step"
        aria-pressed={isShown}
        title="Drag, or press Alt and an arrow key, to move this frame in time"
        style={{ left: percent(begin), width: percent(seconds / total) }}
        onClick={({ detail }) => {
          // Handles clicks by the keyboard only. A press of the pointer has shown the frame already.
          if (detail === 0) editor.previewFrame.value = at;
        }}
        onPointerDown={carry}
        onKeyDown={order}
      >
        <span>
          <span class="quiet">Frame {number}: </span>
          {texts.length === 0 && number}
          {texts.map((text, index) => (
            <>
              {index > 0 && ', '}
              <bdi>{text}</bdi>
            </>
          ))}
        </span>
      </button>
      <Slider
        className="timeline-edge"
        label={`Seconds of frame ${number}`}
        text={`${seconds} s`}
        value={seconds}
        min={secondsMin}
        max={secondsMax}
        step={secondsStep}
        style={{ left: percent(begin + seconds / total) }}
        data={{ 'data-part': 'end' }}
        press={press}
        change={setSeconds}
      />
    </>
  );
}
