import t from 'tap';
import {
  floorTime,
  instantOfWall,
  isKnownZone,
  nextTime,
  wallTimeMs,
  zonedText,
} from '#language/values/zoned-time.ts';

const at = (text: string): number => Date.parse(text);
/** The instant of a wall time in a zone, as ISO 8601 writes it in UTC. */
const utc = (wall: string, zone: string): string =>
  new Date(instantOfWall(at(`${wall}Z`), zone)).toISOString().replace(':00.000Z', 'Z');

const [berlin, newYork] = ['Europe/Berlin', 'America/New_York'];

t.test('a wall time is an instant of its zone; one that it skips is as much later', async (t) => {
  const cases: [zone: string, wall: string, instant: string][] = [
    [berlin, '2026-01-15T18:00', '2026-01-15T17:00Z'],
    [berlin, '2026-07-15T18:00', '2026-07-15T16:00Z'],
    [newYork, '2026-07-15T18:00', '2026-07-15T22:00Z'],
    ['Asia/Kathmandu', '2026-07-15T18:00', '2026-07-15T12:15Z'],
    ['UTC', '2026-07-15T18:00', '2026-07-15T18:00Z'],
    [berlin, '2026-03-29T01:59', '2026-03-29T00:59Z'],
    // There 03:30 in summer time.
    [berlin, '2026-03-29T02:30', '2026-03-29T01:30Z'],
    [berlin, '2026-03-29T03:00', '2026-03-29T01:00Z'],
    [newYork, '2026-03-08T02:30', '2026-03-08T07:30Z'],
    // Of an hour that comes twice, the first one.
    [berlin, '2026-10-25T02:30', '2026-10-25T00:30Z'],
    [berlin, '2026-10-25T03:00', '2026-10-25T02:00Z'],
    [newYork, '2026-11-01T01:30', '2026-11-01T05:30Z'],
  ];
  for (const [zone, wall, instant] of cases) t.equal(utc(wall, zone), instant, `${zone} ${wall}`);
});

t.test('days and hours of a zone begin and end by its clock', async (t) => {
  const day = at('2026-03-29T12:00Z');
  t.equal(new Date(floorTime(day, 'day', berlin)).toISOString(), '2026-03-28T23:00:00.000Z');
  t.equal(nextTime(day, 'day', berlin) - floorTime(day, 'day', berlin), 23 * 3_600_000);
  const autumn = at('2026-10-25T12:00Z');
  t.equal(nextTime(autumn, 'day', berlin) - floorTime(autumn, 'day', berlin), 25 * 3_600_000);
  t.equal(nextTime(at('2026-10-25T00:59:30Z'), 'minute', berlin), at('2026-10-25T01:00Z'));
  t.equal(nextTime(at('2026-07-15T12:20Z'), 'hour', 'Asia/Kathmandu'), at('2026-07-15T13:15Z'));
  t.equal(floorTime(at('2026-07-15T12:20:30Z'), 'hour'), at('2026-07-15T12:00Z'));
  t.equal(floorTime(-1, 'second'), -1000, 'before 1970');
  // An hour that the clock shows twice is two hours.
  for (const hour of [0, 1]) {
    const half = at(`2026-10-25T0${hour}:30Z`);
    t.equal(floorTime(half, 'hour', berlin), at(`2026-10-25T0${hour}:00Z`));
    t.equal(nextTime(half, 'hour', berlin), at(`2026-10-25T0${hour + 1}:00Z`));
  }
});

t.test('every quarter of an hour of a year goes through its wall time and back', async (t) => {
  for (const zone of [berlin, newYork, 'Australia/Lord_Howe', 'America/Havana']) {
    let repeated = 0;
    for (let ms = at('2025-01-01T00:00Z'); ms < at('2026-01-01T00:00Z'); ms += 900_000) {
      const back = instantOfWall(wallTimeMs(ms, zone), zone);
      if (back === ms) continue;
      // The second of two equal wall times is read as the first.
      repeated += 1;
      if (back >= ms || wallTimeMs(back, zone) !== wallTimeMs(ms, zone)) t.fail(`${zone} ${ms}`);
    }
    t.equal(repeated, zone === 'Australia/Lord_Howe' ? 2 : 4, zone);
  }
});

t.test('an instant is written as the zone writes it', async (t) => {
  const instant = at('2026-11-27T17:00Z');
  t.equal(zonedText(instant, berlin), '2026-11-27T18:00:00+01:00');
  t.equal(zonedText(instant, newYork), '2026-11-27T12:00:00-05:00');
  t.equal(zonedText(instant, undefined), '2026-11-27T17:00:00+00:00');
  t.ok(isKnownZone('europe/berlin'));
  t.notOk(isKnownZone('Europe/Bärlin'));
  t.notOk(isKnownZone(''));
});
