/** Bar above the canvas of a template with a clock: shows the template at another time. */
import type { TargetedEvent, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatContext } from '#language/bind/binder.ts';
import { deadlineOf } from '#language/clock/deadline.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { dateFormat } from '#language/values/intl.ts';
import { clockUnits, wallTimeMs } from '#language/values/zoned-time.ts';
import type { Editor, Values } from '../state/editor.ts';

/** Number of steps of the slider. */
const stepsMax = 1000;
/** Time after the deadline that the slider covers, ms. */
const afterMs = clockUnits.hour;
/** Time that the slider covers without a deadline in the future, ms. */
const aheadMs = 7 * clockUnits.day;

/** Slider from now to an hour after the deadline. An evergreen countdown begins at the start of the slider. */
export function TimeBar({ editor }: { editor: Editor }): VNode | null {
  const document = editor.document.value;
  const { clock, lang } = document;
  const values = editor.values.value;
  const span = useMemo(() => spanOf(document, values, Date.now()), [clock, values]);
  if (clock === undefined) return null;
  const time = editor.previewTime.value;
  const slide = (event: TargetedEvent<HTMLInputElement>): void => {
    const timeMs = timeAt(span, event.currentTarget.valueAsNumber);
    editor.previewTime.value = { timeMs, firstOpenMs: span.fromMs };
  };
  const isEvergreen = clock.evergreen !== undefined;
  const start = isEvergreen ? 'First open' : 'Now';
  const text =
    time === undefined
      ? start
      : isEvergreen
        ? sinceText(time.timeMs - time.firstOpenMs)
        : timeText(time.timeMs, clock.zone, lang ?? 'en');
  return (
    <div class="size-bar time-bar" role="group" aria-label="Time">
      <span class="soft">Time</span>
      <input
        type="range"
        aria-label="Time that is shown"
        aria-valuetext={text}
        min={0}
        max={stepsMax}
        value={time === undefined ? 0 : stepAt(span, time.timeMs)}
        onInput={slide}
      />
      <span class="size-note">{text}</span>
      {time === undefined ? null : (
        <button
          type="button"
          class="quiet-button"
          onClick={() => (editor.previewTime.value = undefined)}
        >
          {start}
        </button>
      )}
    </div>
  );
}

/** Times of the two ends of the slider, and of the deadline, ms since the epoch. */
interface Span {
  fromMs: number;
  untilMs: number | undefined;
  toMs: number;
}

function spanOf(document: Template, samples: Values, nowMs: number): Span {
  const fromMs = Math.floor(nowMs / clockUnits.second) * clockUnits.second;
  const values = new Map(
    document.variables.map((variable) => {
      const sample = samples[variable.name];
      return [variable.name, sample === undefined ? defaultText(variable) : String(sample)];
    }),
  );
  const context = formatContext(document, {});
  const { untilMs } = deadlineOf(document, { values, context, timeMs: fromMs });
  // A deadline in the past does not set the end of the slider.
  const isAhead = untilMs !== undefined && untilMs > fromMs;
  return { fromMs, untilMs, toMs: isAhead ? untilMs + afterMs : fromMs + aheadMs };
}

/** Exponent of the time scale: 46 % of the slider covers the last tenth of the time, for the end of a countdown. */
const bend = 3;

function timeAt({ fromMs, toMs }: Span, step: number): number {
  const left = 1 - step / stepsMax;
  return Math.round((toMs - (toMs - fromMs) * left ** bend) / 1000) * 1000;
}

function stepAt({ fromMs, toMs }: Span, timeMs: number): number {
  const left = Math.max(0, (toMs - timeMs) / (toMs - fromMs));
  return Math.round((1 - left ** (1 / bend)) * stepsMax);
}

function timeText(timeMs: number, zone: string | undefined, lang: string): string {
  const options = { dateStyle: 'full', timeStyle: 'medium' } as const;
  return dateFormat(lang, options).format(wallTimeMs(timeMs, zone));
}

/** Text of the time since the first open, to a second. */
function sinceText(sinceMs: number): string {
  const left = Math.max(0, sinceMs);
  const parts = [
    [Math.floor(left / clockUnits.day), 'd'],
    [Math.floor(left / clockUnits.hour) % 24, 'h'],
    [Math.floor(left / clockUnits.minute) % 60, 'min'],
    [Math.floor(left / clockUnits.second) % 60, 's'],
  ] as const;
  return `${parts.map(([count, unit]) => `${count} ${unit}`).join(' ')} after the first open`;
}
