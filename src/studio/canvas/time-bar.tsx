/** Bar above the canvas of a template with a clock: shows the template at another time. */
import type { TargetedEvent, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { dateFormat } from '#language/values/intl.ts';
import { clockUnits } from '#language/values/zoned-time.ts';
import type { Editor, PreviewReport } from '../state/editor.ts';

/** Number of steps of the slider. */
const stepsMax = 1000;
/** Time after the deadline that the slider covers, ms. */
const afterMs = clockUnits.hour;
/** Time that the slider covers without a deadline in the future, ms. */
const aheadMs = 7 * clockUnits.day;

/**
 * Slider from now to an hour after the deadline. An evergreen countdown begins at the start of the slider. Deadline and
 * wall time are those of the service: the time-zone rules of a browser may be older.
 */
export function TimeBar({ editor }: { editor: Editor }): VNode | null {
  const document = editor.document.value;
  const { clock, lang } = document;
  const time = editor.previewTime.value;
  const frame = editor.frame.value;
  const reported = frame?.report.clock;
  const key = [frame?.document.clock, frame?.values];
  const kept = useRef<{ key: unknown[]; span: Span } | undefined>(undefined);
  // A chosen time keeps the span until another clock is drawn: the deadline of a recurring one depends on the time.
  if (time === undefined || kept.current?.key.some((part, at) => part !== key[at]) !== false)
    kept.current = { key, span: spanOf(reported, Date.now()) };
  const { span } = kept.current;
  if (clock === undefined) return null;
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
        : wallText(time.timeMs, reported?.now, lang ?? 'en');
  return (
    <div class="size-bar time-bar" role="group" aria-label="Time">
      <span class="soft">Time</span>
      <input
        type="range"
        aria-label="Time that is shown"
        aria-valuetext={text}
        // Without a time from the service, nothing in the image depends on it, or no image is drawn yet.
        disabled={reported === undefined}
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

/** Times of the two ends of the slider, ms since the epoch. */
interface Span {
  fromMs: number;
  toMs: number;
}

function spanOf(reported: PreviewReport['clock'], nowMs: number): Span {
  const fromMs = Math.floor(nowMs / clockUnits.second) * clockUnits.second;
  const untilMs = reported?.until === undefined ? 0 : Date.parse(reported.until);
  // A deadline in the past does not set the end of the slider.
  return { fromMs, toMs: untilMs > fromMs ? untilMs + afterMs : fromMs + aheadMs };
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

/** The wall time of an instant in words, with the offset of the last image until the next one is drawn. */
function wallText(timeMs: number, now: string | undefined, lang: string): string {
  const [, sign = '+', hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)$/.exec(now ?? '') ?? [];
  const offsetMs = Number(hours) * clockUnits.hour + Number(minutes) * clockUnits.minute;
  const options = { dateStyle: 'full', timeStyle: 'medium' } as const;
  return dateFormat(lang, options).format(sign === '-' ? timeMs - offsetMs : timeMs + offsetMs);
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
