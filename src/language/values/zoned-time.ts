/**
 * Converts between instants and wall times of a time zone (IANA), in ms. A wall time is the instant at which UTC shows
 * the same time.
 */
import { LRUCache } from 'lru-cache';

/** The units of the clock in which content changes, in milliseconds. */
export const clockUnits = {
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
} as const;
export type ClockUnit = keyof typeof clockUnits;

/** A formatter takes about 10 KB of native memory; a service uses a few zones. */
const offsetFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });
/** Zones change their offset only at quarters of an hour. */
const quarterMs = 15 * 60_000;
const offsets = new LRUCache<string, number>({ max: 2000 });

/**
 * Whether `Intl` knows the zone by an IANA name such as `Europe/Berlin`, or as `UTC`. Offsets such as `+05:30` are
 * refused, because they have no summer time.
 */
export function isKnownZone(zone: string): boolean {
  if (/^[+-]/.test(zone)) return false;
  try {
    offsetFormat(zone);
    return true;
  } catch {
    return false;
  }
}

function offsetFormat(zone: string): Intl.DateTimeFormat {
  let format = offsetFormats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    offsetFormats.set(zone, format);
  }
  return format;
}

/** The offset of a zone from UTC at an instant, in ms; positive to the east. */
function offsetMs(instantMs: number, zone: string): number {
  const quarter = Math.floor(instantMs / quarterMs);
  const key = `${quarter} ${zone}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    const text = offsetFormat(zone).format(quarter * quarterMs);
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text) ?? [];
    const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    offset = sign === '-' ? -ms : ms;
    offsets.set(key, offset);
  }
  return offset;
}

/** The wall time of an instant; without a zone, that of UTC. */
export function wallTimeMs(instantMs: number, zone: string | undefined): number {
  return zone === undefined ? instantMs : instantMs + offsetMs(instantMs, zone);
}

const dayMs = clockUnits.day;

/**
 * The instant of a wall time. If the zone repeats an hour, the first one counts. A time in an hour that the zone skips
 * has the offset before the change, so 02:30 becomes 03:30. Temporal calls this `compatible`.
 */
export function instantOfWall(wallMs: number, zone: string | undefined): number {
  if (zone === undefined) return wallMs;
  const before = offsetMs(wallMs - dayMs, zone);
  const after = offsetMs(wallMs + dayMs, zone);
  const isLater = before !== after && offsetMs(wallMs - before, zone) !== before;
  return isLater && offsetMs(wallMs - after, zone) === after ? wallMs - after : wallMs - before;
}

/** A parsed date. Times are in ms since the epoch. */
export interface DateValue {
  /** The written date and time, read as UTC. Formats show it. */
  wallMs: number;
  /** The instant; a text without a zone counts as UTC. */
  instantMs: number;
  hasTime: boolean;
  /** Whether the text has a zone or an offset from UTC. */
  hasZone: boolean;
}

/** The instant of a date. A date without a zone is a wall time of `zone`. */
export function instantIn(
  { wallMs, instantMs, hasZone }: DateValue,
  zone: string | undefined,
): number {
  return hasZone || zone === undefined ? instantMs : instantOfWall(wallMs, zone);
}

/** The start of the day, hour, minute or second that contains an instant. */
export function floorTime(instantMs: number, unit: ClockUnit, zone?: string): number {
  const unitMs = clockUnits[unit];
  if (zone === undefined || unitMs <= clockUnits.minute) return instantMs - mod(instantMs, unitMs);
  const wallMs = wallTimeMs(instantMs, zone);
  // A repeated hour counts as two hours.
  if (unit === 'hour') return instantMs - mod(wallMs, unitMs);
  return instantOfWall(wallMs - mod(wallMs, unitMs), zone);
}

/** The next instant at which the day, hour, minute or second of the zone's clock changes. */
export function nextTime(instantMs: number, unit: ClockUnit, zone?: string): number {
  const unitMs = clockUnits[unit];
  if (zone === undefined || unitMs <= clockUnits.minute) {
    return instantMs - mod(instantMs, unitMs) + unitMs;
  }
  const wallMs = wallTimeMs(instantMs, zone);
  if (unit === 'hour') return floorTime(instantMs, unit, zone) + unitMs;
  return instantOfWall(wallMs - mod(wallMs, unitMs) + unitMs, zone);
}

/** The remainder, never negative, also for times before 1970. */
function mod(ms: number, unitMs: number): number {
  return ((ms % unitMs) + unitMs) % unitMs;
}

function two(count: number): string {
  return String(count).padStart(2, '0');
}

/** The first and the last second of the supported years, 1 to 9999. */
const wallMsMin = Date.parse('0001-01-01T00:00:00Z');
const wallMsMax = Date.parse('9999-12-31T23:59:59Z');

/**
 * An instant in ISO 8601 in the zone: `2026-11-27T18:00:00+01:00`. The wall clock is limited to the years 1 to 9999.
 */
export function zonedText(instantMs: number, zone: string | undefined): string {
  const offset = wallTimeMs(instantMs, zone) - instantMs;
  const wallMs = Math.min(wallMsMax, Math.max(wallMsMin, instantMs + offset));
  const minutes = Math.trunc(offset / 60_000);
  const east = Math.abs(minutes);
  const offsetText = `${minutes < 0 ? '-' : '+'}${two(Math.trunc(east / 60))}:${two(east % 60)}`;
  return new Date(wallMs).toISOString().replace(/\.\d+Z$/, offsetText);
}

/** JSON pattern of a duration in minutes, hours or days. */
export const durationPattern = '^([1-9]\\d{0,3}m|[1-9]\\d{0,2}h|[1-9]\\d?d)$';

/** The duration of a text that matches `durationPattern`, such as `48h`, in ms. */
export function durationMs(text: string): number {
  const units: Record<string, number> = {
    m: clockUnits.minute,
    h: clockUnits.hour,
    d: clockUnits.day,
  };
  return Number.parseInt(text, 10) * (units[text.slice(-1)] ?? 0);
}

// Names of time zones in dates of emails and programs.

/** Minutes east of UTC of names with one meaning (tz database 2026, RFC 2822). */
const minutesByName: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'z 0,utc 0,gmt 0,ut 0,cet 60,cest 120,mez 60,mesz 120,eet 120,eest 180,msk 180,' +
    'est -300,edt -240,mst -420,mdt -360,pdt -420,jst 540,kst 540,aest 600,aedt 660'
  )
    .split(',')
    .map((pair) => pair.split(' '))
    .map(([name = '', minutes]) => [name, Number(minutes)]),
);

/** Names of several zones: their minutes east of UTC, and the zones (IANA) that mean it, or how their names begin. */
const sharedNames: Readonly<
  Record<string, readonly (readonly [minutes: number, zones: RegExp])[]>
> = {
  cst: [
    [-360, /^(?:America|US)\//],
    [480, /^(?:Asia\/)/],
    [-300, /^(?:America\/Havana|Cuba)$/],
  ],
  cdt: [
    [-300, /^(?:America|US)\//],
    [-240, /^(?:America\/Havana|Cuba)$/],
  ],
  pst: [
    [-480, /^(?:America|US)\//],
    [480, /^Asia\/Manila$/],
  ],
  ast: [
    [-240, /^(?:America|Atlantic|Canada)\//],
    [180, /^Asia\//],
  ],
  ist: [
    [330, /^Asia\//],
    [120, /^(?:Asia\/(?:Jerusalem|Tel_Aviv)|Israel)$/],
    [60, /^(?:Europe\/Dublin|Eire)$/],
  ],
  bst: [
    [60, /^(?:Europe\/(?:London|Belfast|Jersey|Guernsey|Isle_of_Man)|GB.*)$/],
    [360, /^Asia\//],
    [660, /^Pacific\//],
  ],
};

/** The names of several zones, in small letters, as alternatives of an expression. */
export function sharedZoneNames(): string {
  return Object.keys(sharedNames).join('|');
}

/** All names in small letters, as alternatives of an expression. */
export const zoneNames = [...Object.keys(minutesByName), ...Object.keys(sharedNames)]
  .toSorted((a, b) => b.length - a.length)
  .join('|');

/**
 * The minutes east of UTC that a name means at a wall time. Of several the one counts that `zone` (IANA) has at that
 * time; undefined if it has none of them.
 */
export function namedMinutes(name: string, wallMs: number, zone?: string): number | undefined {
  const minutesEast = minutesByName[name];
  if (minutesEast !== undefined || zone === undefined) return minutesEast;
  const found = sharedNames[name]?.find(([minutes, zones]) => {
    return zones.test(zone) && wallTimeMs(wallMs - minutes * clockUnits.minute, zone) === wallMs;
  });
  return found?.[0];
}
