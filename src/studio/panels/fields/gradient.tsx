/** The stops of a gradient: on a strip to drag along, and one by one with place and colour. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { colorBetween, cssPaint, isColor } from './color-math.ts';
import type { Stop } from './color-math.ts';
import type { Field } from './schema-fields.ts';
import { toolButton } from './structured.tsx';
import type { StructuredProps } from './structured.tsx';

/** A gradient as the document has it. */
export interface GradientValue {
  gradient?: string;
  stops?: Stop[];
}

/** Stops that a gradient may have (`stops` of the schema). */
const stopsMin = 2;
const stopsMax = 16;

interface GradientProps extends Pick<StructuredProps, 'path' | 'change' | 'row'> {
  label: string;
  value: GradientValue;
}

/** A press on the strip adds a stop there; the chosen one is edited below. */
export function GradientField({ path, label, value, change, row }: GradientProps): VNode {
  const [chosen, choose] = useState(0);
  const stops = value.stops ?? [];
  const at = Math.min(chosen, stops.length - 1);
  const write = (next: readonly Stop[], gesture?: string): void =>
    change({ ...value, stops: next }, gesture);
  const setStop = (index: number, part: Partial<Stop>, gesture?: string): void =>
    write(
      stops.map((stop, place) => (place === index ? { ...stop, ...part } : stop)),
      gesture,
    );
  const add = (event: PointerEvent): void => {
    if (event.target !== event.currentTarget || stops.length >= stopsMax) return;
    const offset = placeOn(event.currentTarget as HTMLElement, event);
    const index = stops.findIndex((stop) => Number(stop.offset) > offset);
    const place = index < 0 ? stops.length : index;
    write(stops.toSpliced(place, 0, { offset, color: colorBetween(stops, offset) }));
    choose(place);
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
            aria-label={`${label}: stop ${index + 1} at ${Math.round(Number(each.offset) * 100)} %`}
            aria-pressed={index === at}
            style={{
              left: `${Number(each.offset) * 100}%`,
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
  hint: 'a colour: #rgb, #rgba, #rrggbb or #rrggbbaa',
  kind: { type: 'color' },
  isBindable: true,
  isRequired: true,
  standard: undefined,
};

const offsetField: Field = {
  name: 'offset',
  label: 'Place',
  hint: 'a place: 0 is the start, 100 % the end',
  kind: { type: 'number', min: 0, max: 1, whole: false, unit: '%', isPart: true },
  isBindable: true,
  isRequired: true,
  standard: undefined,
};

type SetStop = (index: number, part: Partial<Stop>, gesture?: string) => void;

function dragStop(press: PointerEvent, index: number, setStop: SetStop): void {
  const knob = press.currentTarget as HTMLElement;
  const strip = knob.parentElement;
  if (strip === null) return;
  knob.setPointerCapture(press.pointerId);
  const gesture = `stop:${press.timeStamp}`;
  const move = (event: PointerEvent): void =>
    setStop(index, { offset: placeOn(strip, event) }, gesture);
  const end = (): void => {
    knob.removeEventListener('pointermove', move);
    knob.removeEventListener('pointerup', end);
  };
  knob.addEventListener('pointermove', move);
  knob.addEventListener('pointerup', end);
}

function keyStop(event: KeyboardEvent, index: number, { offset }: Stop, setStop: SetStop): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  event.preventDefault();
  const step = (event.key === 'ArrowLeft' ? -0.01 : 0.01) * (event.shiftKey ? 10 : 1);
  setStop(index, { offset: rounded(Number(offset) + step) }, `stop-key:${index}`);
}

function placeOn(strip: HTMLElement, event: PointerEvent): number {
  const { left, width } = strip.getBoundingClientRect();
  return rounded((event.clientX - left) / width);
}

function rounded(part: number): number {
  return Math.round(Math.min(1, Math.max(0, part)) * 1000) / 1000;
}
