/** Reads the changes of time zones from a compiled tz database, with the system's `zdump`. */
import { execFileSync } from 'node:child_process';

/** From `atS` on, in seconds since the epoch, a zone has this offset from UTC in seconds. */
export interface ZoneChange {
  atS: number;
  offsetS: number;
  isSummer: boolean;
}

/** `Europe/Berlin  Sun Mar 29 01:00:00 2026 UT = Sun Mar 29 03:00:00 2026 CEST isdst=1 gmtoff=7200` */
const line = /^(\S+) +\w{3} (\w{3}) +(\d+) ([\d:]+) (\d{4}) UT = .* isdst=(\d) gmtoff=(-?\d+)$/gm;

/**
 * The changes of each zone in some years; the first row of a zone is its offset before them. `zdump` prints the last
 * second before each change, and its first. A zone without a change has no row, nor has an unknown one.
 */
export function readZoneChanges(
  folder: string,
  zones: readonly string[],
  years: { from: number; to: number },
): Map<string, ZoneChange[]> {
  const text = execFileSync('zdump', ['-v', '-c', `${years.from},${years.to + 1}`, ...zones], {
    encoding: 'utf8',
    env: { TZDIR: folder, LC_ALL: 'C' },
    maxBuffer: 2 ** 28,
  });
  const changes = new Map<string, ZoneChange[]>();
  for (const [, zone = '', month, day, time, year, summer, offset] of text.matchAll(line)) {
    const rows = changes.get(zone) ?? [];
    changes.set(zone, rows);
    const atS = Date.parse(`${day} ${month} ${year} ${time} GMT`) / 1000;
    const change = { atS, offsetS: Number(offset), isSummer: summer === '1' };
    const last = rows.at(-1);
    // The second before a change repeats the offset of the last one.
    if (last === undefined || last.offsetS !== change.offsetS || last.isSummer !== change.isSummer)
      rows.push(change);
  }
  return changes;
}
