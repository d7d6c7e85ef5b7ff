/** The timeline of an animation of values: a block for each frame, as long as it shows. */
import type { TargetedPointerEvent, VNode } from 'preact';
import { useId } from 'preact/hooks';
import { animationCanvasFrames } from '#language/animation/frames.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Animation } from '#language/schema/animation.ts';
import { toolButton } from '../../panels/fields/structured.tsx';
import { Slider } from '../../slider.tsx';
import type { Editor } from '../../state/editor.ts';
import { followDrag } from '../gestures/follow-drag.ts';
import { percent, playheadOf, Ruler, TimelineFrame, TimelineHead } from './head.tsx';

type Steps = Extract<Animation, { type: 'values' }>;
type Step = Steps['frames'][number];

/** Seconds that a frame shows, as the schema has them, and by which a drag changes them. */
const [secondsMin, secondsMax, secondsStep] = [0.02, 60, 0.1];

export function StepsTimeline({ editor, steps }: { editor: Editor; steps: Steps }): VNode {
  const { frames } = steps;
  const seconds = frames.reduce((sum, step) => sum + step.seconds, 0);
  const begins = frames.map((_, at) =>
    frames.slice(0, at).reduce((sum, step) => sum + step.seconds, 0),
  );
  const playhead = playheadOf(editor, (frame) => (begins[frame] ?? 0) / seconds);
  const change = (label: string, recipe: (stored: Step[]) => void, gesture?: string): void =>
    editor.change(
      label,
      ({ animation }) => {
        if (animation?.type === 'values') recipe(animation.frames);
      },
      gesture,
    );
  const { shown } = playhead;
  const chosen = shown === undefined ? undefined : frames[shown];
  return (
    <TimelineFrame playhead={playhead}>
      <TimelineHead editor={editor} playhead={playhead}>
        {shown === undefined || chosen === undefined ? (
          <span class="timeline-note">Choose a frame to change it.</span>
        ) : (
          <StepFields editor={editor} steps={steps} at={shown} step={chosen} change={change} />
        )}
      </TimelineHead>
      <div class="timeline-rows" data-steps>
        <Ruler editor={editor} playhead={playhead} seconds={seconds} />
        <div class="timeline-lane">
          {frames.map((step, at) => (
            <StepBlock
              key={at}
              editor={editor}
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

type ChangeSteps = (label: string, recipe: (stored: Step[]) => void, gesture?: string) => void;

interface StepBlockProps {
  editor: Editor;
  step: Step;
  at: number;
  /** From 0 to 1. */
  begin: number;
  /** Seconds of all frames. */
  total: number;
  isShown: boolean;
  change: ChangeSteps;
}

function StepBlock({ editor, step, at, begin, total, isShown, change }: StepBlockProps): VNode {
  const { seconds, values } = step;
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
        style={{ left: percent(begin), width: percent(seconds / total) }}
        onClick={() => (editor.previewFrame.value = at)}
      >
        <span class="quiet">Frame {number}: </span>
        {Object.values(values).join(', ') || number}
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

interface StepFieldsProps {
  editor: Editor;
  steps: Steps;
  at: number;
  step: Step;
  change: ChangeSteps;
}

/** The values of the frame that is shown, and what copies and deletes it. */
function StepFields({ editor, steps, at, step, change }: StepFieldsProps): VNode {
  const id = useId();
  const { frames } = steps;
  const names = [...new Set(frames.flatMap(({ values }) => Object.keys(values)))];
  const most = Math.min(templateLimits.framesMax, animationCanvasFrames(editor.document.value));
  const write = (name: string, value: string): void =>
    change(
      'Change the value of a frame',
      (stored) => Object.assign(stored[at]?.values ?? {}, { [name]: value }),
      `frame:${at}:${name}`,
    );
  const copy = (stored: Step[]): void => {
    stored.splice(at + 1, 0, structuredClone(step));
  };
  return (
    <div class="timeline-fields">
      {names.map((name) => (
        <label key={name} for={`${id}-${name}`}>
          {name}
          <input
            id={`${id}-${name}`}
            type="text"
            maxlength={2000}
            value={step.values[name] ?? ''}
            onInput={(event) => write(name, event.currentTarget.value)}
          />
        </label>
      ))}
      {frames.length >= most
        ? null
        : toolButton('plus', 'Copy the frame', () => {
            change('Copy the frame', copy);
            editor.previewFrame.value = at + 1;
          })}
      {frames.length === 1
        ? null
        : toolButton('trash', 'Delete the frame', () =>
            change('Delete the frame', (stored) => stored.splice(at, 1)),
          )}
    </div>
  );
}
