/** Timeline below the canvas of an animation: shows the tracks of a motion, or the frames of values. */
import { useSignal } from '@preact/signals';
import type { TargetedEvent, TargetedPointerEvent, VNode } from 'preact';
import { motionFrames } from '#language/animation/frames.ts';
import { Slider } from '../tools/slider.tsx';
import type { Editor } from '../../state/editor.ts';
import { findLayer, nameOf } from '../../state/layers.ts';
import { addTrack, movesOf, tracksMax, tracksOf } from '../../state/motion.ts';
import type { Motion, TrackProperty } from '../../state/motion.ts';
import { followDrag } from '../gestures/follow-drag.ts';
import { playheadOf, Ruler, TimelineFrame, TimelineHead } from './head.tsx';
import { FrameRateHandle } from './playing.tsx';
import { StepsTimeline } from './steps.tsx';
import { secondsMost, setSeconds } from './times.ts';
import { propertyNames, TrackFields } from './track-fields.tsx';
import { TrackRow } from './track-row.tsx';

export function Timeline({ editor }: { editor: Editor }): VNode | null {
  const { animation } = editor.document.value;
  if (animation?.type === 'motion') return <MotionTimeline editor={editor} motion={animation} />;
  if (animation?.type === 'values') return <StepsTimeline editor={editor} steps={animation} />;
  return null;
}

function MotionTimeline({ editor, motion }: { editor: Editor; motion: Motion }): VNode {
  const chosen = useSignal<number | undefined>(undefined);
  const tracks = tracksOf(motion);
  const last = Math.max(1, motionFrames(motion) - 1);
  const playhead = playheadOf(editor, (frame) => Math.min(1, frame / last));
  // Falls back to the first track of the layer that is selected on the canvas.
  const [layer] = editor.selection.value;
  const known = tracks[chosen.value ?? -1];
  const index =
    known !== undefined && known.layer === layer
      ? chosen.value
      : tracks.findIndex((track) => track.layer === layer);
  const track = tracks[index ?? -1];
  const select = (at: number, id: string) => (): void => {
    chosen.value = at;
    editor.selection.value = [id];
  };
  return (
    <TimelineFrame playhead={playhead}>
      <TimelineHead editor={editor} playhead={playhead}>
        <FrameRateHandle editor={editor} motion={motion} />
        {track === undefined || index === undefined ? (
          <span class="timeline-note">Choose a track to change it.</span>
        ) : (
          <TrackFields key={index} editor={editor} track={track} index={index} />
        )}
      </TimelineHead>
      <div class="timeline-rows">
        <div class="timeline-row">
          <AddTrack editor={editor} motion={motion} added={(at) => (chosen.value = at)} />
          <Ruler editor={editor} playhead={playhead} seconds={motion.seconds} isEven>
            <LengthHandle editor={editor} motion={motion} />
          </Ruler>
        </div>
        {tracks.map((each, at) => (
          <TrackRow
            key={at}
            editor={editor}
            motion={motion}
            track={each}
            index={at}
            isSelected={at === index}
            select={select(at, each.layer)}
          />
        ))}
      </div>
    </TimelineFrame>
  );
}

/** Handle at the end of the ruler that changes the length of the motion. */
function LengthHandle({ editor, motion }: { editor: Editor; motion: Motion }): VNode {
  const most = secondsMost(editor.whole.value, motion);
  const change = (seconds: number): void => {
    const bounded = Math.min(most, Math.max(0.1, Math.round(seconds * 10) / 10));
    editor.change('Change the length', (draft) => setSeconds(draft, motion, bounded), 'length');
  };
  const press = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    // Keeps the press from the ruler.
    event.stopPropagation();
    const width = event.currentTarget.parentElement?.clientWidth ?? 1;
    followDrag(editor, event, ({ x }) => change(motion.seconds * (1 + x / width)));
  };
  return (
    <Slider
      className="timeline-length"
      label="Length"
      text={`${motion.seconds} s`}
      value={motion.seconds}
      min={0.1}
      max={most}
      step={0.1}
      press={press}
      change={change}
    >
      {`${motion.seconds} s`}
    </Slider>
  );
}

interface AddTrackProps {
  editor: Editor;
  motion: Motion;
  added: (index: number) => void;
}

/** Adds a track for a property of the selected layer, from the shown frame on. */
function AddTrack({ editor, motion, added }: AddTrackProps): VNode {
  const [id, ...others] = editor.selection.value;
  const document = editor.document.value;
  const layer = id === undefined || others.length > 0 ? undefined : findLayer(document, id);
  const moves = layer === undefined ? [] : movesOf(document, layer.id);
  const isFull = tracksOf(motion).length >= tracksMax;
  const frame = editor.previewFrame.value ?? 0;
  const start = (frame * motion.seconds) / Math.max(1, motionFrames(motion) - 1);
  const add = (event: TargetedEvent<HTMLSelectElement>): void => {
    const property = event.currentTarget.value as TrackProperty;
    event.currentTarget.value = '';
    if (layer === undefined) return;
    editor.change(
      'Add a track',
      (draft) => void addTrack(draft, layer.id, property, Math.round(start * 1000) / 1000),
    );
    added(tracksOf(motion).length);
  };
  return (
    <select
      class="timeline-add"
      aria-label="Add a track"
      value=""
      disabled={moves.length === 0 || isFull}
      onChange={add}
    >
      <option value="" selected>
        {layer === undefined ? 'Select a layer to move' : `Move ${nameOf(layer)} …`}
      </option>
      {moves.map((property) => (
        <option key={property} value={property}>
          {propertyNames[property]}
        </option>
      ))}
    </select>
  );
}
