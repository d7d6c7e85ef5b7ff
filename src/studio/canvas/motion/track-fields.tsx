/** Fields of the chosen track: its two values, its easing, and a button that deletes it. */
import type { TargetedEvent, VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { MotionTrack } from '#language/schema/animation.ts';
import { IconButton } from '../../icons.tsx';
import { ColorField } from '../../panels/fields/color.tsx';
import { toolButton } from '../../panels/fields/structured.tsx';
import type { Editor } from '../../state/editor.ts';
import { lengthMaxPx } from '../../state/layer-sizes.ts';
import { motionOf, removeTrack, tracksOf } from '../../state/motion.ts';
import type { TrackProperty } from '../../state/motion.ts';

export const propertyNames: Readonly<Record<TrackProperty, string>> = {
  x: 'Across',
  y: 'Down',
  opacity: 'Opacity',
  rotation: 'Rotation',
  scale: 'Scale',
  fill: 'Colour',
  typed: 'Letters',
};

/** Icons of the easing curves, in a square of 16 px. */
const curves: ReadonlyArray<
  readonly [NonNullable<MotionTrack['easing']>, name: string, path: string]
> = [
  ['linear', 'Even speed', 'M2.5 13.5 13.5 2.5'],
  ['ease-in', 'Slow start', 'M2.5 13.5C8.500 13.5 13.500 9 13.5 2.5'],
  ['ease-out', 'Slow end', 'M2.5 13.5C2.500 7 7.500 2.500 13.5 2.5'],
  ['ease-in-out', 'Slow start and end', 'M2.5 13.5C9 13.5 7 2.5 13.5 2.5'],
];

/** Format of a property value: its unit, the factor for display, and its bounds before the factor. */
interface Amount {
  unit: string;
  factor: number;
  min: number;
  max: number;
}

const part: Amount = { unit: '%', factor: 100, min: 0, max: 1 };
const length: Amount = { unit: 'px', factor: 1, min: -lengthMaxPx, max: lengthMaxPx };
const amounts: Readonly<Record<Exclude<TrackProperty, 'fill'>, Amount>> = {
  x: length,
  y: length,
  opacity: part,
  typed: part,
  scale: { ...part, max: 10 },
  rotation: { unit: '°', factor: 1, min: -360, max: 360 },
};

/** Text of a track value. Undefined means the value of the design. */
export function amountText({ property }: MotionTrack, value: MotionTrack['from']): string {
  if (value === undefined) return 'design';
  if (property === 'fill' || typeof value === 'string') return String(value);
  const { unit, factor } = amounts[property];
  return `${Math.round(value * factor * 100) / 100} ${unit}`;
}

export function deleteTrack(editor: Editor, index: number): void {
  editor.change('Delete the track', (draft) => removeTrack(draft, index));
}

interface TrackFieldsProps {
  editor: Editor;
  track: MotionTrack;
  index: number;
}

export function TrackFields({ editor, track, index }: TrackFieldsProps): VNode {
  const change = (label: string, recipe: (stored: MotionTrack) => void, gesture?: string): void =>
    editor.change(
      label,
      (draft) => {
        const motion = motionOf(draft);
        const stored = motion === undefined ? undefined : tracksOf(motion)[index];
        if (stored !== undefined) recipe(stored);
      },
      gesture,
    );
  const side = (end: 'from' | 'to'): VNode => (
    <AmountInput
      editor={editor}
      track={track}
      end={end}
      change={(value, gesture) =>
        change(
          end === 'from' ? 'Change the first value' : 'Change the last value',
          (stored) => {
            if (value === undefined) delete stored[end];
            else stored[end] = value;
          },
          gesture,
        )
      }
    />
  );
  const easing = track.easing ?? 'ease-in-out';
  return (
    <div class="timeline-fields">
      {side('from')}
      {side('to')}
      <span class="timeline-curves" role="group" aria-label="Easing">
        {curves.map(([each, name, path]) => (
          <IconButton
            key={each}
            name={name}
            path={path}
            isOn={each === easing}
            run={() => change('Change the easing', (stored) => void (stored.easing = each))}
          />
        ))}
      </span>
      {toolButton('trash', 'Delete the track', () => deleteTrack(editor, index))}
    </div>
  );
}

interface AmountInputProps {
  editor: Editor;
  track: MotionTrack;
  end: 'from' | 'to';
  change: (value: number | string | undefined, gesture?: string) => void;
}

/** Field of a value. An empty field means the value of the design. */
function AmountInput({ editor, track, end, change }: AmountInputProps): VNode {
  const id = useId();
  const { property } = track;
  const value = track[end];
  const label = end === 'from' ? 'First value' : 'Last value';
  if (property === 'fill') {
    return (
      <span class="timeline-color">
        <label for={id}>{end === 'from' ? 'from' : 'to'}</label>
        <ColorField
          editor={editor}
          id={id}
          label={label}
          value={value}
          placeholder="design"
          change={change}
        />
      </span>
    );
  }
  const { unit, factor, min, max } = amounts[property];
  const take = (event: TargetedEvent<HTMLInputElement>): void => {
    const { value: typed, valueAsNumber } = event.currentTarget;
    if (typed !== '' && !Number.isFinite(valueAsNumber)) return;
    const bounded = Math.min(max, Math.max(min, valueAsNumber / factor));
    change(typed === '' ? undefined : Math.round(bounded * 10_000) / 10_000);
  };
  return (
    <label>
      {end === 'from' ? 'from' : 'to'}
      <input
        type="number"
        aria-label={label}
        min={min * factor}
        max={max * factor}
        placeholder="design"
        value={typeof value === 'number' ? Math.round(value * factor * 100) / 100 : ''}
        onChange={take}
      />
      <span class="soft">{unit}</span>
    </label>
  );
}
