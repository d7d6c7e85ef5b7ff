/** The control for a date: a calendar with a field for the time, or a text field for dates of another form. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toolButton } from '../fields/structured.tsx';
import type { ValueControl } from './control-props.ts';
import { isCalendarDate, joinDate, readValue, splitDate, unreadWords } from './read-value.ts';
import { problemMarks, problemNote, reading, useTypedText } from './typed-text.tsx';
import { behindFrame } from '../behind-frame.ts';

/** `chosen` is the calendar of a date that may be written in another form, after the user chose it. */
type Form = 'calendar' | 'text' | 'chosen';

/** The fields of a date. They are chosen by the value when they appear, and never change while one has the focus. */
export function DateControl(control: ValueControl): VNode {
  const { variable, value } = control;
  const text = String(value);
  const host = useRef<HTMLSpanElement>(null);
  const [form, setForm] = useState<Form>(() =>
    isFit(text || variable.value) ? 'calendar' : 'text',
  );
  /** Shows a text that the calendar cannot show, for example one from an undo or from a spreadsheet. */
  const follow = (): void => {
    if (form === 'calendar' && !isFit(text)) setForm('text');
  };
  useEffect(() => {
    if (host.current?.contains(document.activeElement) !== true) follow();
  }, [text]);
  const isText = form === 'text';
  const { name } = variable;
  return (
    <span
      class="p-date"
      ref={host}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && host.current?.contains(relatedTarget))) follow();
      }}
    >
      {isText ? <DateText {...control} /> : <Calendar {...control} host={host} />}
      {form === 'calendar'
        ? null
        : toolButton(
            isText ? 'clock' : 'text',
            isText ? `Choose ${name} in a calendar` : `Write ${name} as text`,
            () => setForm(isText ? 'chosen' : 'text'),
          )}
    </span>
  );
}

function isFit(text: string): boolean {
  return text === '' || isCalendarDate(text);
}

/** A date of any form that links take, as it is written. */
function DateText({ editor, id, value, placeholder, change, isInvalid }: ValueControl): VNode {
  const { lang } = behindFrame(editor).document.value;
  const typed = useTypedText(
    String(value),
    (text) =>
      reading(
        text.trim(),
        readValue('date', text, lang) === undefined ? unreadWords('date', text) : undefined,
      ),
    change,
  );
  const problem = typed.isTyping ? undefined : typed.problem;
  return (
    <>
      <textarea
        id={id}
        dir="auto"
        rows={1}
        placeholder={placeholder}
        {...problemMarks(id, problem, isInvalid)}
        data-refused={typed.problem !== undefined}
        value={typed.text}
        onInput={(event) => typed.take(event.currentTarget.value)}
        onBlur={typed.leave}
      />
      {problemNote(id, problem)}
    </>
  );
}

/** What the fields show while they are edited. */
interface Edited {
  day: string;
  time: string;
  /** The value to which the fields belong. Another value replaces what they show. */
  of: string;
  /** Whether the user cleared the day. A link then has the default, which the fields show when they are left. */
  isCleared: boolean;
}

/** The first year that is complete: 2026 is typed as 2, 20, 202 and 2026. */
const firstDay = '1000-01-01';

/** Without a month the value of a field is empty already, and browsers report no change when the rest is cleared. */
const erasers = new Set(['Backspace', 'Delete']);

type CalendarProps = ValueControl & { host: { current: HTMLSpanElement | null } };

function Calendar({ host, ...control }: CalendarProps): VNode {
  const { id, variable, value, change, isInvalid } = control;
  const { timeLabel = `Time of ${variable.name}` } = control;
  const text = String(value);
  const { lang } = behindFrame(control.editor).document.value;
  const [edited, setEdited] = useState<Edited | undefined>(undefined);
  const [isTyping, setTyping] = useState(false);
  const dayField = useRef<HTMLInputElement>(null);
  const timeField = useRef<HTMLInputElement>(null);
  const given = splitDate(text, lang);
  const zone = useZone(given?.zone, splitDate(variable.value, lang)?.zone);
  const current = edited?.of === text || edited?.isCleared === true ? edited : undefined;
  const { day, time } = current ?? given ?? { day: '', time: '' };

  const take = (): void => {
    const [dayInput, timeInput] = [dayField.current, timeField.current];
    if (dayInput === null || timeInput === null) return;
    const typed = { day: dayInput.value, time: timeInput.value };
    const isCleared =
      typed.day === '' &&
      !dayInput.validity.badInput &&
      (given !== undefined || current?.isCleared === true);
    const isDay = dayInput.validity.valid && typed.day >= firstDay;
    const isWhole = (isCleared || isDay) && timeInput.validity.valid;
    const next = isCleared ? '' : joinDate({ ...typed, zone });
    setEdited({ ...typed, isCleared, of: isWhole ? next : text });
    setTyping(true);
    if (isWhole && next !== text) change(next);
  };
  const erase = ({ key }: KeyboardEvent): unknown => erasers.has(key) && take();
  /** Clears a part of a date or of a time. The fields then show the value again. */
  const leave = (event: FocusEvent): void => {
    if (event.relatedTarget instanceof Node && host.current?.contains(event.relatedTarget)) return;
    setTyping(false);
    for (const field of [dayField.current, timeField.current]) {
      if (field?.validity.badInput === true) field.value = '';
    }
    const isTimeAlone =
      given === undefined && dayField.current?.value === '' && timeField.current?.value !== '';
    if (!isTimeAlone || current?.isCleared === true) setEdited(undefined);
  };
  const unread = current?.isCleared === true ? undefined : problemOf(text, day, time);
  return (
    <>
      <input
        ref={dayField}
        id={id}
        type="date"
        max="9999-12-31"
        {...dayMarks(id, unread, isTyping, isInvalid)}
        value={day}
        onInput={take}
        onKeyUp={erase}
        onBlur={leave}
      />
      <input
        ref={timeField}
        type="time"
        aria-label={timeLabel}
        title={zone === '' ? timeLabel : `${timeLabel}, ${zone}`}
        step={/:\d\d:/.test(time) ? 1 : undefined}
        value={time}
        onInput={take}
        onKeyUp={erase}
        onBlur={leave}
      />
      {problemNote(id, isTyping ? undefined : unread)}
    </>
  );
}

/** The marks of a field. While one types, `data-refused` alone tells that the value lacks what the fields show. */
function dayMarks(
  id: string,
  unread: string | undefined,
  isTyping: boolean,
  isInvalid: boolean | undefined,
): Record<string, boolean | string | undefined> {
  const marks = problemMarks(id, isTyping ? undefined : unread, isInvalid);
  return { ...marks, 'data-refused': unread !== undefined };
}

/** Returns the zone of a date. Until it has one, that of the default; a date keeps its zone without its time. */
function useZone(zone = '', standard = ''): string {
  const kept = useRef(standard);
  if (zone !== '') kept.current = zone;
  return kept.current;
}

function problemOf(text: string, day: string, time: string): string | undefined {
  if (day !== '') return undefined;
  if (time !== '') return 'Give the day of this time.';
  return text === '' ? undefined : `“${text}”: ${unreadWords('date', text)}`;
}
