/** The fill of a shape or a text: a color, a gradient, an image, or nothing. */
import type { VNode } from 'preact';
import { ColorField } from './color.tsx';
import { cssPaint, isColor, colorBetween } from './color-math.ts';
import type { FieldKind, GradientKind, Field } from './schema-fields.ts';
import type { StructuredProps } from './structured.tsx';
import { mixed } from '../target.ts';
import { useState } from 'preact/hooks';
import type { Stop } from './color-math.ts';
import { toolButton } from './structured.tsx';

type Kind = Extract<FieldKind, { type: 'fill' }>;

/** Returns the kind of a fill, or `mixed` if the layers differ. */
function modeOf(value: unknown, { hasNone }: Kind): string {
  if (value === mixed) return 'mixed';
  if (value === undefined || value === 'none') return hasNone || value === undefined ? 'none' : '';
  if (typeof value !== 'object' || value === null) return 'solid';
  if ('image' in value) return 'image';
  return String((value as GradientValue).gradient);
}

const modeNames: Readonly<Record<string, string>> = { image: 'image' };

/** Buttons for the kinds of fill, and the controls of the chosen kind. */
export function FillField(props: StructuredProps & { kind: Kind }): VNode {
  const { target, field, path, id, kind, change, row } = props;
  const read = target.read(path);
  const value = read === undefined && isColor(field.standard) ? field.standard : read;
  const mode = modeOf(value, kind);
  const canBeNone = kind.hasNone || (!field.isRequired && field.standard === undefined);
  const words = [
    ...(canBeNone ? ['none'] : []),
    'solid',
    ...kind.gradients.map(({ word }) => word),
    ...(kind.hasImage ? ['image'] : []),
  ];
  const choose = (word: string): void => {
    if (word !== mode) change(fillOf(word, value));
  };
  const gradient = kind.gradients.find(({ word }) => word === mode);
  return (
    <div class="p-fill">
      <div class="p-segments" role="radiogroup" aria-label={`${field.label}: kind`}>
        {words.map((word) => (
          <label class="p-segment" title={modeNames[word] ?? word}>
            <input
              type="radio"
              id={word === words[0] ? id : undefined}
              name={`${id}-kind`}
              aria-label={modeNames[word] ?? word}
              checked={word === mode}
              onChange={() => choose(word)}
            />
            <span>
              <i class={`p-fill-${word}`} />
            </span>
          </label>
        ))}
      </div>
      {mode === 'mixed' ? (
        <p class="p-note">The layers differ: a choice is for all of them.</p>
      ) : null}
      {mode === 'solid' ? (
        <ColorField
          editor={target.editor}
          id={`${id}-color`}
          label={field.label}
          value={value}
          isInvalid={target.problem(path) !== undefined}
          change={change}
          follow={(entry, color) => target.follow(field, path, entry, color)}
        />
      ) : null}
      {gradient === undefined ? null : gradientOf(props, gradient, value as GradientValue)}
      {mode === 'image' ? row(imageField, [...path, 'image']) : null}
      {mode === 'image' ? row(fitField, [...path, 'fit']) : null}
    </div>
  );
}

function gradientOf(
  { path, change, row, field }: StructuredProps,
  kind: GradientKind,
  value: GradientValue,
): VNode {
  return (
    <>
      <GradientField path={path} label={field.label} value={value} change={change} row={row} />
      {kind.fields.map((each) => row(each, [...path, each.name]))}
    </>
  );
}

const imageField: Field = {
  name: 'image',
  label: 'Image',
  hint: 'an upload, an address or a variable',
  kind: { type: 'image' },
  isBindable: true,
  isRequired: true,
  standard: undefined,
};

const fitField: Field = {
  name: 'fit',
  label: 'Fit',
  hint: 'how the image fills the box',
  kind: { type: 'choice', words: ['cover', 'contain', 'fill'] },
  isBindable: true,
  isRequired: false,
  standard: 'cover',
};

/** Converts a fill to another kind. Keeps the color or the stops where the new kind has them. */
function fillOf(word: string, before: unknown): unknown {
  if (word === 'none') return before === 'none' ? 'none' : undefined;
  const { stops } = (typeof before === 'object' && before !== null ? before : {}) as GradientValue;
  const first = stops?.map(({ color }) => color).find(isColor);
  const color = isColor(before) ? before : (first ?? '#e2603a');
  if (word === 'solid') return color;
  if (word === 'image') return { image: '' };
  return {
    gradient: word,
    stops: stops ?? [
      { offset: 0, color },
      { offset: 1, color: cssPaint(color) === '#ffffff' ? '#22303c' : '#ffffff' },
    ],
  };
}

// The stops of a gradient: handles on a strip, and one row a stop with position and color.

/** A gradient as the document has it. */
interface GradientValue {
  gradient?: string;
  stops?: Stop[];
}

/** Bounds of the number of stops (`stops` of the schema). */
const stopsMin = 2;
const stopsMax = 16;

interface GradientProps extends Pick<StructuredProps, 'path' | 'change' | 'row'> {
  label: string;
  value: GradientValue;
}

/** A press on the strip adds a stop there. The fields below edit the chosen stop. */
function GradientField({ path, label, value, change, row }: GradientProps): VNode {
  const [chosen, choose] = useState(0);
  const stops = value.stops ?? [];
  const at = Math.min(chosen, stops.length - 1);
  const write = (next: readonly Stop[], gesture?: string): void =>
    change({ ...value, stops: next }, gesture);
  const setStop = (index: number, part: Partial<Stop>, gesture?: string): void =>
    write(
      stops.map((stop, position) => (position === index ? { ...stop, ...part } : stop)),
      gesture,
    );
  const add = (event: PointerEvent): void => {
    if (event.target !== event.currentTarget || stops.length >= stopsMax) return;
    const offset = placeOn(event.currentTarget as HTMLElement, event);
    const index = stops.findIndex((stop) => Number(stop.offset) > offset);
    const position = index < 0 ? stops.length : index;
    write(stops.toSpliced(position, 0, { offset, color: colorBetween(stops, offset) }));
    choose(position);
  };
  const stop = stops[at];
  const paint = cssPaint({ gradient: 'linear', angle: 90, stops });
  return (
    <div class="p-gradient">
      <div class="p-strip" onPointerDown={add} title="Press to add a stop">
        <span class="p-strip-paint" style={{ background: paint }} />
        {stops.map((each, index) => (
          <button
            type="button"
            key={index}
            class="p-stop"
            aria-label={`${label}: stop ${index + 1} at ${offsetText(each)}`}
            aria-pressed={index === at}
            style={{
              left: `${typeof each.offset === 'number' ? each.offset * 100 : 0}%`,
              background: isColor(each.color) ? each.color : '#888888',
            }}
            onFocus={() => choose(index)}
            onPointerDown={(event) => dragStop(event, index, setStop)}
            onKeyDown={(event) => keyStop(event, index, each, setStop)}
          />
        ))}
      </div>
      {stop === undefined ? null : (
        <div class="p-item" key={at}>
          <div class="p-item-tools">
            <span class="p-note">
              Stop {at + 1} of {stops.length}
            </span>
            {stops.length > stopsMin
              ? toolButton('minus', `Remove stop ${at + 1}`, () => write(stops.toSpliced(at, 1)))
              : null}
          </div>
          {row(colorField, [...path, 'stops', at, 'color'])}
          {row(offsetField, [...path, 'stops', at, 'offset'])}
        </div>
      )}
    </div>
  );
}

const colorField: Field = {
  name: 'color',
  label: 'Colour',
  hint: 'a colour',
  kind: { type: 'color' },
  isBindable: true,
  isRequired: true,
  standard: undefined,
};

const offsetField: Field = {
  name: 'offset',
  label: 'Position',
  hint: 'a position: 0 is the start, 100 % the end',
  kind: { type: 'number', min: 0, max: 1, whole: false, unit: '%', isPart: true },
  isBindable: true,
  isRequired: true,
  standard: undefined,
};

function offsetText({ offset }: Stop): string {
  return typeof offset === 'number' ? `${Math.round(offset * 100)} %` : String(offset);
}

type SetStop = (index: number, part: Partial<Stop>, gesture?: string) => void;

function dragStop(press: PointerEvent, index: number, setStop: SetStop): void {
  const knob = press.currentTarget as HTMLElement;
  const strip = knob.parentElement;
  if (strip === null) return;
  knob.setPointerCapture(press.pointerId);
  const gesture = `stop:${press.timeStamp}`;
  const move = (event: PointerEvent): void =>
    setStop(index, { offset: placeOn(strip, event) }, gesture);
  const end = (): void => knob.removeEventListener('pointermove', move);
  knob.addEventListener('pointermove', move);
  knob.addEventListener('lostpointercapture', end, { once: true });
}

function keyStop(event: KeyboardEvent, index: number, { offset }: Stop, setStop: SetStop): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  event.preventDefault();
  // The arrow keys do not move a stop that a variable positions.
  if (typeof offset !== 'number') return;
  const step = (event.key === 'ArrowLeft' ? -0.01 : 0.01) * (event.shiftKey ? 10 : 1);
  setStop(index, { offset: rounded(offset + step) }, `stop-key:${index}`);
}

function placeOn(strip: HTMLElement, event: PointerEvent): number {
  const { left, width } = strip.getBoundingClientRect();
  return rounded((event.clientX - left) / width);
}

function rounded(part: number): number {
  return Math.round(Math.min(1, Math.max(0, part)) * 1000) / 1000;
}
