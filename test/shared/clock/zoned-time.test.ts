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

t.test('a wall time is an instant of its zone, in summer and in winter', (t) => {
  t.equal(utc('2026-01-15T18:00', berlin), '2026-01-15T17:00Z');
  t.equal(utc('2026-07-15T18:00', berlin), '2026-07-15T16:00Z');
  t.equal(utc('2026-01-15T18:00', newYork), '2026-01-15T23:00Z');
  t.equal(utc('2026-07-15T18:00', newYork), '2026-07-15T22:00Z');
  t.equal(utc('2026-07-15T18:00', 'Asia/Kathmandu'), '2026-07-15T12:15Z');
  t.equal(utc('2026-07-15T18:00', 'UTC'), '2026-07-15T18:00Z');
  t.end();
});

t.test('a time in the hour that a zone skips is as much later', (t) => {
  t.equal(utc('2026-03-29T01:59', berlin), '2026-03-29T00:59Z');
  t.equal(utc('2026-03-29T02:30', berlin), '2026-03-29T01:30Z', '03:30 in summer time');
  t.equal(utc('2026-03-29T03:00', berlin), '2026-03-29T01:00Z');
  t.equal(utc('2026-03-08T01:59', newYork), '2026-03-08T06:59Z');
  t.equal(utc('2026-03-08T02:30', newYork), '2026-03-08T07:30Z', '03:30 in summer time');
  t.equal(utc('2026-03-08T03:00', newYork), '2026-03-08T07:00Z');
  t.end();
});

t.test('a time in the hour that a zone has twice is the first one', (t) => {
  t.equal(utc('2026-10-25T02:30', berlin), '2026-10-25T00:30Z', 'in summer time');
  t.equal(utc('2026-10-25T03:00', berlin), '2026-10-25T02:00Z');
  t.equal(utc('2026-11-01T01:30', newYork), '2026-11-01T05:30Z', 'in summer time');
  t.equal(utc('2026-11-01T02:00', newYork), '2026-11-01T07:00Z');
  t.end();
});

t.test('days and hours of a zone begin and end by its clock', (t) => {
  const day = at('2026-03-29T12:00Z');
  t.equal(new Date(floorTime(day, 'day', berlin)).toISOString(), '2026-03-28T23:00:00.000Z');
  t.equal(nextTime(day, 'day', berlin) - floorTime(day, 'day', berlin), 23 * 3_600_000);
  const autumn = at('2026-10-25T12:00Z');
  t.equal(nextTime(autumn, 'day', berlin) - floorTime(autumn, 'day', berlin), 25 * 3_600_000);
  t.equal(nextTime(at('2026-10-25T00:59:30Z'), 'minute', berlin), at('2026-10-25T01:00Z'));
  t.equal(nextTime(at('2026-07-15T12:20Z'), 'hour', 'Asia/Kathmandu'), at('2026-07-15T13:15Z'));
  t.equal(floorTime(at('2026-07-15T12:20:30Z'), 'hour'), at('2026-07-15T12:00Z'));
  t.equal(floorTime(-1, 'second'), -1000, 'before 1970');
  t.end();
});

t.test('every quarter of an hour of a year goes through its wall time and back', (t) => {
  for (const zone of [berlin, newYork, 'Australia/Lord_Howe', 'America/Havana']) {
    let repeated = 0;
    for (let ms = at('2026-01-01T00:00Z'); ms < at('2027-01-01T00:00Z'); ms += 900_000) {
      const back = instantOfWall(wallTimeMs(ms, zone), zone);
      if (back === ms) continue;
      // The second of two equal wall times is read as the first.
      repeated += 1;
      if (back >= ms || wallTimeMs(back, zone) !== wallTimeMs(ms, zone)) t.fail(`${zone} ${ms}`);
    }
    t.equal(repeated, zone === 'Australia/Lord_Howe' ? 2 : 4, zone);
  }
  t.end();
});

t.test('an instant is written as the zone writes it', (t) => {
  const instant = at('2026-11-27T17:00Z');
  t.equal(zonedText(instant, berlin), '2026-11-27T18:00:00+01:00');
  t.equal(zonedText(instant, newYork), '2026-11-27T12:00:00-05:00');
  t.equal(zonedText(instant, undefined), '2026-11-27T17:00:00+00:00');
  t.ok(isKnownZone('europe/berlin'));
  t.notOk(isKnownZone('Europe/Bärlin'));
  t.notOk(isKnownZone(''));
  t.end();
});

t.test('an hour that the clock shows twice is two hours', (t) => {
  const [first, second] = [at('2026-10-25T00:30Z'), at('2026-10-25T01:30Z')];
  t.equal(floorTime(first, 'hour', berlin), at('2026-10-25T00:00Z'));
  t.equal(floorTime(second, 'hour', berlin), at('2026-10-25T01:00Z'));
  t.equal(nextTime(first, 'hour', berlin), at('2026-10-25T01:00Z'));
  t.equal(nextTime(second, 'hour', berlin), at('2026-10-25T02:00Z'));
  t.end();
});
