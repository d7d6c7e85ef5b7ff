/** Row of the timeline: the layer and the property of a track, and the bar of its time. */
import type { TargetedPointerEvent, VNode } from 'preact';
import type { MotionTrack } from '#language/schema/animation.ts';
import { Slider } from '../tools/slider.tsx';
import type { Editor } from '../../state/editor.ts';
import { findLayer, nameOf } from '../../state/layers.ts';
import { motionOf, tracksOf } from '../../state/motion.ts';
import type { Motion } from '../../state/motion.ts';
import { followDrag } from '../gestures/follow-drag.ts';
import { percent } from './head.tsx';
import { dragSpan, frameSeconds, setSpan, spanOf } from './times.ts';
import type { SpanPart, TimeSpan } from './times.ts';
import { amountText, deleteTrack, propertyNames } from './track-fields.tsx';

interface TrackRowProps {
  editor: Editor;
  motion: Motion;
  track: MotionTrack;
  index: number;
  isSelected: boolean;
  select: () => void;
}

export function TrackRow(props: TrackRowProps): VNode {
  const { editor, track, index, isSelected, select } = props;
  const layer = findLayer(editor.document.value, track.layer);
  const name = layer === undefined ? track.layer : nameOf(layer);
  const property = propertyNames[track.property];
  return (
    <div
      class="timeline-row"
      data-selected={isSelected}
      onKeyDown={({ key }) => {
        if (key === 'Delete' || key === 'Backspace') deleteTrack(editor, index);
      }}
    >
      <button type="button" class="timeline-name" aria-pressed={isSelected} onClick={select}>
        <span>{name}</span>
        <span class="soft">{property}</span>
      </button>
      <div class="timeline-lane">
        <TrackTime {...props} what={`${property.toLowerCase()} of ${name}`} />
      </div>
    </div>
  );
}

/** The bar of a track, which a drag moves in time, and its two edges. */
function TrackTime(props: TrackRowProps & { what: string }): VNode {
  const { editor, motion, track, index, isSelected, select, what } = props;
  const span = spanOf(track, motion);
  const [start, end] = span;
  const { seconds } = motion;
  const change = (part: SpanPart, by: number, isFree: boolean): void => {
    const next = dragSpan(span, part, by, motion, isFree);
    editor.change(
      part === 'whole' ? 'Move in time' : 'Change the time',
      (draft) => {
        const changed = motionOf(draft);
        const stored = changed === undefined ? undefined : tracksOf(changed)[index];
        if (changed !== undefined && stored !== undefined) setSpan(stored, next, changed);
      },
      `time:${index}:${part}`,
    );
  };
  const press =
    (part: SpanPart) =>
    (event: TargetedPointerEvent<HTMLDivElement>): void => {
      const width = event.currentTarget.parentElement?.clientWidth ?? 1;
      select();
      followDrag(editor, event, ({ x }, { ctrlKey, metaKey }) =>
        change(part, (x / width) * seconds, ctrlKey || metaKey),
      );
    };
  const edge = (part: 'start' | 'end', at: number, [min, max]: TimeSpan): VNode => (
    <Slider
      className="timeline-edge"
      label={`${part === 'start' ? 'Start' : 'End'} of ${what}`}
      text={`${secondsText(at)} s`}
      value={at}
      min={min}
      max={max}
      step={frameSeconds(motion)}
      isStop={isSelected}
      style={{ left: percent(at / seconds) }}
      data={{ 'data-part': part }}
      press={press(part)}
      change={(to) => change(part, to - at, false)}
    />
  );
  return (
    <>
      <Slider
        className="timeline-bar"
        label={`Time of ${what}`}
        text={`${secondsText(start)} s to ${secondsText(end)} s`}
        value={start}
        min={0}
        max={Math.max(0, seconds - (end - start))}
        step={frameSeconds(motion)}
        style={{ left: percent(start / seconds), width: percent((end - start) / seconds) }}
        press={press('whole')}
        change={(to) => change('whole', to - start, false)}
      >
        {`${amountText(track, track.from)} → ${amountText(track, track.to)}`}
      </Slider>
      {edge('start', start, [0, end])}
      {edge('end', end, [start, seconds])}
    </>
  );
}

/** Formats seconds with at most two decimals. */
function secondsText(seconds: number): string {
  return String(Math.round(seconds * 100) / 100);
}
