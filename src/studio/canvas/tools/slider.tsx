/** A slider without a fixed look, such as a handle on the canvas, an edge of a bar, or the head of a timeline. */
import type { TargetedPointerEvent, VNode } from 'preact';

/** The value of a slider, with its bounds and the step of keys. */
export interface SliderRange {
  value: number;
  min: number;
  max: number;
  /** Step of an arrow key, default 1. Shift with an arrow key, PageUp and PageDown change by ten steps. */
  step?: number | undefined;
}

export interface SliderProps extends SliderRange {
  /** Name of the changed property; `text` is the value in words. */
  label: string;
  text: string;
  className: string;
  isVertical?: boolean;
  isStop?: boolean;
  style?: Readonly<Record<string, string>>;
  /** Attributes `data-…`, by which gestures of the canvas identify the slider. */
  data?: Readonly<Record<`data-${string}`, string>>;
  /** Called when a key chooses another value. */
  change: (value: number) => void;
  press?: (event: TargetedPointerEvent<HTMLDivElement>) => void;
  children?: VNode | string | undefined;
}

export function Slider(props: SliderProps): VNode {
  const { label, text, className, isVertical = false, isStop = true, style, data } = props;
  const { value, min, max, change, press, children } = props;
  return (
    <div
      class={className}
      role="slider"
      tabindex={isStop ? 0 : -1}
      aria-label={label}
      aria-orientation={isVertical ? 'vertical' : 'horizontal'}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text}
      title={`${label}: ${text}`}
      {...(style === undefined ? {} : { style })}
      {...data}
      {...(press === undefined ? {} : { onPointerDown: press })}
      onKeyDown={(event) => {
        const next = valueAfter(event, props);
        if (next === undefined) return;
        // The canvas would apply the key to layers.
        event.preventDefault();
        event.stopPropagation();
        if (next !== value) change(next);
      }}
    >
      {children}
    </div>
  );
}

const steps: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
};

/** Returns the value after a key; undefined for keys that a slider does not use. */
function valueAfter(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent,
  { value, min, max, step = 1 }: SliderRange,
): number | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === 'Home') return min;
  if (key === 'End') return max;
  const count = steps[key];
  if (count === undefined) return undefined;
  const far = shiftKey && Math.abs(count) === 1 ? 10 : 1;
  return Math.min(max, Math.max(min, value + count * far * step));
}
