/** Head of a timeline: the play button, the ruler, and the playhead that shows one frame. */
import type { ComponentChildren, VNode } from 'preact';
import { mostFrames } from '#language/animation/frames.ts';
import { Slider } from '../tools/slider.tsx';
import type { Editor } from '../../state/editor.ts';
import { AsDesignedButton, PlayButton } from './animation-bar.tsx';
import { PlaysHandle } from './playing.tsx';

/** The shown frame of an animation, and the positions of its frames on a lane. */
export interface Playhead {
  frames: number;
  /** Undefined: the image as designed. */
  shown: number | undefined;
  /** Fraction of the total time at which a frame begins, from 0 to 1. */
  partOf: (frame: number) => number;
}

/** Playhead of an editor. `partOf` gives the fraction of the time at which a frame begins. */
export function playheadOf(editor: Editor, partOf: Playhead['partOf']): Playhead {
  const frames = mostFrames(editor.document.value);
  const shown = editor.previewFrame.value;
  return { frames, shown: shown === undefined ? undefined : Math.min(shown, frames - 1), partOf };
}

export function percent(part: number): string {
  return `${Math.round(part * 100_000) / 1000}%`;
}

/** The timeline. It keeps key presses from the canvas. */
export function TimelineFrame({
  playhead,
  children,
}: {
  playhead: Playhead;
  children?: ComponentChildren;
}): VNode {
  const { shown, partOf } = playhead;
  const at = shown === undefined ? '-9999px' : percent(partOf(shown));
  return (
    <section
      class="timeline"
      aria-label="Timeline"
      style={{ '--at': at }}
      onKeyDown={(event) => {
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      }}
    >
      {children}
    </section>
  );
}

/** The first line. `children` are controls for this type of animation. */
export function TimelineHead({
  editor,
  playhead: { frames, shown },
  children,
}: {
  editor: Editor;
  playhead: Playhead;
  children?: ComponentChildren;
}): VNode {
  return (
    <div class="timeline-head">
      <PlayButton editor={editor} />
      <AsDesignedButton editor={editor} />
      <span class="timeline-note">
        {shown === undefined ? `${frames} frames` : frameText(shown, frames)}
      </span>
      <PlaysHandle editor={editor} />
      {children}
    </div>
  );
}

function frameText(shown: number, frames: number): string {
  return `Frame ${shown + 1} of ${frames}`;
}

/** Steps between two numbers of a ruler, seconds. A ruler uses the first with at most twelve steps. */
const tickSeconds = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** The ruler: a press on it, or a drag, shows the frame there. */
export function Ruler({
  editor,
  playhead,
  seconds,
  isEven = false,
  children,
}: {
  editor: Editor;
  playhead: Playhead;
  seconds: number;
  /** True if all frames take the same time. The ruler then marks them. */
  isEven?: boolean;
  children?: ComponentChildren;
}): VNode {
  const { frames, shown, partOf } = playhead;
  const step = tickSeconds.find((each) => seconds / each <= 12) ?? 600;
  const ticks = Array.from({ length: Math.floor(seconds / step + 1e-9) + 1 }, (_, at) => at * step);
  const show = (frame: number): void => {
    editor.previewFrame.value = frame;
  };
  const scrub = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    if (event.button !== 0) return;
    const { currentTarget: lane } = event;
    const follow = ({ clientX }: PointerEvent): void => {
      const { left, width } = lane.getBoundingClientRect();
      const part = (clientX - left) / width;
      show(nearest(part, frames, partOf));
    };
    follow(event);
    lane.setPointerCapture(event.pointerId);
    const ending = new AbortController();
    lane.addEventListener('pointermove', follow, { signal: ending.signal });
    lane.addEventListener('lostpointercapture', () => ending.abort(), { once: true });
  };
  return (
    <div
      class="timeline-lane timeline-ruler"
      onPointerDown={scrub}
      {...(isEven ? { style: { '--frame': percent(1 / Math.max(1, frames - 1)) } } : {})}
    >
      {ticks.map((tick) => (
        <span key={tick} class="timeline-tick" style={{ left: percent(tick / seconds) }}>
          {Math.round(tick * 10) / 10}
        </span>
      ))}
      <Slider
        className="timeline-playhead"
        label="Frame that is shown"
        text={shown === undefined ? 'As designed' : frameText(shown, frames)}
        value={shown ?? 0}
        min={0}
        max={frames - 1}
        style={{ left: percent(partOf(shown ?? 0)) }}
        data={{ 'data-off': String(shown === undefined) }}
        change={show}
      />
      {children}
    </div>
  );
}

/** The frame that begins nearest to a fraction of the total time. */
function nearest(part: number, frames: number, partOf: Playhead['partOf']): number {
  let best = 0;
  for (let frame = 1; frame < frames; frame += 1) {
    if (Math.abs(partOf(frame) - part) < Math.abs(partOf(best) - part)) best = frame;
  }
  return best;
}
