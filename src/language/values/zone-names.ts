/** Names of time zones in dates of emails and programs. */
import { wallTimeMs } from './zoned-time.ts';

const minuteMs = 60_000;

/** Minutes east of UTC of names with one meaning (tz database 2026, RFC 2822). */
const minutesByName: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'z 0,utc 0,gmt 0,ut 0,wet 0,west 60,cet 60,cest 120,mez 60,mesz 120,eet 120,eest 180,msk 180,sast 120,cat 120,eat 180,' +
    'wat 60,est -300,edt -240,mst -420,mdt -360,pdt -420,akst -540,akdt -480,hst -600,adt -180,nst -210,ndt -150,' +
    'brt -180,art -180,pkt 300,npt 345,ict 420,wib 420,wita 480,wit 540,hkt 480,sgt 480,jst 540,kst 540,awst 480,' +
    'acst 570,acdt 630,aest 600,aedt 660,nzst 720,nzdt 780'
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
    [-360, /^(?:America|US|Canada|Mexico)\//],
    [480, /^(?:Asia\/|PRC$|ROC$)/],
    [-300, /^(?:America\/Havana|Cuba)$/],
  ],
  cdt: [
    [-300, /^(?:America|US|Canada|Mexico)\//],
    [-240, /^(?:America\/Havana|Cuba)$/],
  ],
  pst: [
    [-480, /^(?:America|US|Canada|Mexico)\//],
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
export const sharedZoneNames = Object.keys(sharedNames).join('|');

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
    return zones.test(zone) && wallTimeMs(wallMs - minutes * minuteMs, zone) === wallMs;
  });
  return found?.[0];
}
