import t from 'tap';
import { createBinder, formatContext } from '#language/bind/binder.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import { renderTimeMs } from '#language/clock/clock-use.ts';
import { deadlineOf } from '#language/clock/deadline.ts';
import { changesAtMs, momentKey } from '#language/clock/lifetime.ts';
import type { RenderMoment } from '#wire/render-moment.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { aLayer, aTemplate, aVariable, problemsOf } from '../../fixtures/template-documents.ts';

const at = (text: string): number => Date.parse(text);

interface Parts {
  clock?: unknown;
  text?: string;
  visibleWhen?: unknown;
  variables?: unknown[];
}

function templateOf({ clock, text = 'x', visibleWhen, variables = [] }: Parts): Template {
  const layer = aLayer('text', { text, ...(visibleWhen === undefined ? {} : { visibleWhen }) });
  const document = aTemplate({
    variables,
    layers: [layer],
    ...(clock === undefined ? {} : { clock }),
  });
  t.same(problemsOf(document), []);
  return document as unknown as Template;
}

const valuesOf = (template: Template): Map<string, string> =>
  new Map(template.variables.map((each) => [each.name, defaultText(each)]));

/** The text that is drawn at a time; undefined if the layer is hidden. */
function drawn(parts: Parts, time: string, moment: RenderMoment = {}): string | undefined {
  const template = templateOf(parts);
  const timeMs = renderTimeMs(template, at(time));
  const { layers } = resolveLayers(template, valuesOf(template), { ...moment, timeMs });
  return (layers[0] as { text?: string } | undefined)?.text;
}

/** Seconds until the image changes, and the part of the key that the time decides. */
function lifetime(
  parts: Parts,
  time: string,
  given: RenderMoment = {},
): { seconds: number; key: string } {
  const template = templateOf(parts);
  const timeMs = renderTimeMs(template, at(time)) ?? 0;
  const values = valuesOf(template);
  const context = formatContext(template, {});
  const moment = { ...deadlineOf(template, { values, context, timeMs }), ...given, timeMs };
  const binder = createBinder(template, values, moment);
  return {
    seconds: (changesAtMs(template, moment, [binder]) - timeMs) / 1000,
    key: momentKey(template, moment, [binder]),
  };
}

const until = (deadline: string, zone?: string): Parts['clock'] => ({ until: deadline, zone });
const berlin = 'Europe/Berlin';
const friday = { until: '2026-11-27T18:00', zone: berlin };
const untilMs = at('2026-11-27T17:00Z');
const allParts =
  '{{countdown.days}} {{countdown.hours | pad}}:{{countdown.minutes | pad:2}}:{{countdown.seconds | pad}}';

t.test('a countdown counts days, hours, minutes and seconds to its deadline', (t) => {
  const count = (time: string): string | undefined =>
    drawn({ clock: friday, text: allParts }, time);
  t.equal(count('2026-11-25T15:30:50Z'), '2 01:29:10');
  t.equal(count('2026-11-27T16:59:59.900Z'), '0 00:00:01');
  t.equal(count('2026-11-27T17:00:00Z'), '0 00:00:00');
  t.equal(count('2031-01-01T00:00:00Z'), '0 00:00:00', 'long past');
  t.equal(count('1969-12-31T23:59:59Z'), '20784 17:00:01', 'far ahead');
  const totals = '{{countdown.totalHours}} {{countdown.totalMinutes}} {{countdown.totalSeconds}}';
  t.equal(drawn({ clock: friday, text: totals }, '2026-11-25T15:30:50Z'), '49 2969 178150');
  const words = '{{countdown.days | plural:one,# day,other,# days}} left';
  t.equal(drawn({ clock: friday, text: words }, '2026-11-26T10:00Z'), '1 day left');
  t.end();
});

t.test('days that are shorter or longer by a change of summer time count as their hours', (t) => {
  const hours = (deadline: string, zone: string, time: string): string | undefined =>
    drawn({ clock: until(deadline, zone), text: '{{countdown.totalHours}}' }, time);
  t.equal(hours('2026-03-30T00:00', berlin, '2026-03-28T23:00Z'), '23');
  t.equal(hours('2026-10-26T00:00', berlin, '2026-10-24T22:00Z'), '25');
  t.equal(hours('2026-03-09T00:00', 'America/New_York', '2026-03-08T05:00Z'), '23');
  t.equal(hours('2026-11-02T00:00', 'America/New_York', '2026-11-01T04:00Z'), '25');
  t.equal(
    hours('2026-11-02T00:00Z', berlin, '2026-11-01T00:00Z'),
    '24',
    'a date with its own zone',
  );
  t.end();
});

t.test('a deadline that comes again is the next one', (t) => {
  const next = (rule: string, time: string): string | undefined =>
    drawn({ clock: until(rule, berlin), text: '{{countdown.until}}' }, time);
  t.equal(next('friday 18:00', '2026-11-25T12:00Z'), '2026-11-27T18:00:00+01:00');
  t.equal(next('Friday 18:00', '2026-11-27T16:59:59Z'), '2026-11-27T18:00:00+01:00');
  t.equal(next('every fri 18:00', '2026-11-27T17:00Z'), '2026-12-04T18:00:00+01:00');
  t.equal(next('daily 15:00', '2026-11-25T14:00Z'), '2026-11-26T15:00:00+01:00');
  t.equal(next('sunday 02:30', '2026-03-28T12:00Z'), '2026-03-29T03:30:00+02:00', 'skipped hour');
  t.end();
});

t.test('now is the time of the zone', (t) => {
  const text = '{{now | date:weekday,day,month}} {{now | time:24}} {{now.weekday}} {{now.hour}}';
  t.equal(drawn({ text }, '2026-11-27T23:30Z'), 'Friday, November 27 23:30 friday 23');
  const clock = { zone: 'America/New_York' };
  t.equal(drawn({ clock, text }, '2026-11-28T01:30Z'), 'Friday, November 27 20:30 friday 20');
  t.end();
});

t.test('conditions ask for the time, the countdown, the client and the share', (t) => {
  const shows = (visibleWhen: unknown, time: string, moment: RenderMoment = {}): boolean =>
    drawn(
      {
        clock: { ...friday, per: '{{id}}' },
        variables: [aVariable('id', 'text', '')],
        visibleWhen,
      },
      time,
      moment,
    ) !== undefined;
  const over = { variable: 'countdown.isOver', equals: 'true' };
  t.notOk(shows(over, '2026-11-27T16:59:59Z'));
  t.ok(shows(over, '2026-11-27T17:00:00Z'));
  const advent = { variable: 'now', greaterThan: '2026-11-29', lessThan: '2026-12-25' };
  t.notOk(shows(advent, '2026-11-28T23:00:00Z'), 'midnight in Berlin');
  t.ok(shows(advent, '2026-11-28T23:00:01Z'));
  t.notOk(shows(advent, '2026-12-24T23:00:00Z'));
  const weekend = { variable: 'now.weekday', oneOf: ['saturday', 'sunday'] };
  t.notOk(shows(weekend, '2026-11-27T22:59:59Z'));
  t.ok(shows(weekend, '2026-11-27T23:00:00Z'));
  const evening = { variable: 'now.hour', greaterThan: 17 };
  t.notOk(shows(evening, '2026-11-27T16:59:59Z'));
  t.ok(shows(evening, '2026-11-27T17:00:00Z'));
  const apple = { variable: 'client', equals: 'apple-mail-privacy' };
  t.notOk(shows(apple, '2026-11-27T17:00:00Z'));
  t.ok(shows(apple, '2026-11-27T17:00:00Z', { client: 'apple-mail-privacy' }));
  const half = { variable: 'share', lessThan: 50 };
  t.ok(shows(half, '2026-11-27T17:00:00Z', { share: 49 }));
  t.notOk(shows(half, '2026-11-27T17:00:00Z', { share: 50 }));
  t.end();
});

t.test('an image lasts until what it shows changes, to the second', (t) => {
  const time = '2026-11-25T15:30:50Z';
  const seconds = (text: string, when = time): number =>
    lifetime({ clock: friday, text }, when).seconds;
  t.equal(seconds('{{countdown.seconds}}'), 1);
  t.equal(seconds('{{countdown.minutes}}'), 11, '29:10 becomes 28:59');
  t.equal(seconds('{{countdown.totalHours}}'), 29 * 60 + 11);
  t.equal(seconds('{{countdown.days}}'), 3600 + 29 * 60 + 11);
  t.equal(seconds('{{countdown.minutes}}', '2026-11-25T15:31:01Z'), 60, 'a minute later');
  t.equal(seconds('{{countdown.days}}', '2026-11-27T16:00:00Z'), Infinity, '0 days stay 0 days');
  const again = { clock: until('friday 18:00', berlin), text: '{{countdown.days}}' };
  t.equal(lifetime(again, '2026-11-27T16:00:00Z').seconds, 3600, 'the next countdown begins');
  t.equal(seconds('{{countdown.seconds}}', '2026-11-27T17:00:00Z'), Infinity, 'over');
  t.equal(seconds('{{countdown.until | date}}'), Infinity, 'of a date');
  t.equal(seconds('{{countdown.isOver}}'), 49 * 3600 + 29 * 60 + 10);
  t.equal(seconds('{{now | time}}'), 10);
  t.equal(seconds('{{now | date}}'), 7 * 3600 + 29 * 60 + 10, 'midnight in Berlin');
  t.equal(seconds('{{now.hour}}'), 29 * 60 + 10);
  t.end();
});

t.test('an image lasts until a condition has another answer', (t) => {
  const time = '2026-11-25T15:30:50Z';
  const seconds = (visibleWhen: unknown, when = time): number =>
    lifetime({ clock: friday, visibleWhen }, when).seconds;
  const toFriday = 49 * 3600 + 29 * 60 + 10;
  t.equal(seconds({ variable: 'countdown.isOver', equals: 'true' }), toFriday);
  t.equal(seconds({ variable: 'countdown.totalHours', lessThan: 24 }), 25 * 3600 + 29 * 60 + 11);
  t.equal(seconds({ variable: 'countdown.days', greaterThan: 0 }), 25 * 3600 + 29 * 60 + 11);
  t.equal(
    seconds({ variable: 'now', lessThan: '2026-11-25T16:31' }),
    10,
    'Berlin is an hour ahead',
  );
  t.equal(seconds({ variable: 'now', greaterThan: '2026-11-25T16:31' }), 11);
  t.equal(seconds({ variable: 'now', lessThan: '2026-11-25' }), Infinity, 'past');
  t.equal(seconds({ variable: 'now.hour', lessThan: 9 }), 7 * 3600 + 29 * 60 + 10);
  t.equal(seconds({ variable: 'now.hour', greaterThan: 17 }), 3600 + 29 * 60 + 10);
  t.equal(
    seconds({ variable: 'now.weekday', equals: 'saturday' }),
    (2 * 24 + 7) * 3600 + 29 * 60 + 10,
  );
  t.equal(seconds({ variable: 'client', equals: 'other' }), Infinity);
  t.end();
});

t.test(
  'a lifetime is never too long: nothing changes before it ends, and something does then',
  (t) => {
    const cases: Parts[] = [
      { text: '{{countdown.minutes}}' },
      { text: '{{countdown.hours}} {{now | date}}' },
      { visibleWhen: { variable: 'countdown.totalMinutes', lessThan: 30 } },
      {
        visibleWhen: {
          any: [
            { variable: 'now.hour', equals: '2' },
            { variable: 'now.weekday', equals: 'monday' },
          ],
        },
      },
      { visibleWhen: { variable: 'now', greaterThan: '2026-10-25T02:30' } },
    ];
    const clock = { until: '2026-10-25T03:10', zone: berlin };
    for (const parts of cases) {
      // The night in which Berlin has the hour from 2 to 3 twice.
      for (let ms = at('2026-10-24T23:50:07Z'); ms < at('2026-10-25T02:20Z'); ms += 313_000) {
        const iso = (plus: number): string => new Date(ms + plus * 1000).toISOString();
        const { seconds, key } = lifetime({ clock, ...parts }, iso(0));
        if (seconds === Infinity) continue;
        t.equal(
          lifetime({ clock, ...parts }, iso(seconds - 1)).key,
          key,
          `${iso(0)} ${JSON.stringify(parts)}`,
        );
      }
    }
    t.end();
  },
);

t.test('equal keys need not be of the same time', (t) => {
  const clock = { evergreen: '48h', per: '{{id}}' };
  const parts = { clock, text: allParts, variables: [aVariable('id', 'text', '')] };
  const first = lifetime(parts, '2026-11-25T15:30:50Z', { untilMs: untilMs });
  const second = lifetime(parts, '2026-11-25T15:31:50Z', { untilMs: untilMs + 60_000 });
  t.equal(first.key, second.key, 'two contacts with as much time left');
  t.not(lifetime(parts, '2026-11-25T15:30:51Z', { untilMs }).key, first.key);
  t.end();
});

t.test('a clock is checked when a template is saved', (t) => {
  const problem = (clock: unknown, text = 'x', variables: unknown[] = []): string | undefined =>
    problemsOf(aTemplate({ clock, variables, layers: [aLayer('text', { text })] }))[0];
  t.match(problem({ zone: 'Mars/Olympus' }), /clock\.zone.*IANA time zone/);
  t.match(problem({ zone: '+05:30' }), /clock\.zone is "\+05:30", expected an IANA time zone/);
  t.match(problem({ until: 'soon' }), /clock\.until is "soon", not a date/);
  t.match(problem({ until: '{{end}}' }), /clock\.until binds \{\{end\}\}/);
  t.match(
    problem({ until: '{{end}}' }, 'x', [aVariable('end', 'text', 'never')]),
    /with the default values/,
  );
  t.match(problem({ evergreen: '2 days' }), /clock\.evergreen.*expected a text such as 90m/);
  t.match(problem({ per: 'all' }), /clock\.per.*expected the binding of a variable/);
  t.match(problem({ atZero: { template: 'other' } }), /clock\.atZero needs a countdown/);
  t.match(problem({ zone: 'UTC' }, '{{countdown.days}}'), /needs a clock with until or evergreen/);
  t.match(problem({ zone: 'UTC' }, '{{share}}'), /needs a clock with per/);
  t.equal(
    problem({ until: '{{end | default:friday 18:00}}' }, 'x', [aVariable('end', 'date', '')]),
    undefined,
  );
  const when = { variable: 'client', equals: 'apple' };
  const layers = [aLayer('text', { text: 'x', visibleWhen: when })];
  t.match(problemsOf(aTemplate({ layers }))[0], /expected one of apple-mail-privacy/);
  t.end();
});

t.test('a deadline at the end of all years is a date in every zone', (t) => {
  const drawnUntil = (deadline: string, zone: string): string | undefined => {
    const text = '{{countdown.until | date:year,month,day}}';
    return drawn({ clock: until(deadline, zone), text }, '2026-11-25T12:00Z');
  };
  for (const zone of ['UTC', 'Asia/Tokyo', 'America/New_York']) {
    t.equal(drawnUntil('9999-12-31T23:59Z', zone), 'December 31, 9999', zone);
    t.match(drawnUntil('0001-01-01T00:00Z', zone), /^January 1, /, zone);
  }
  t.end();
});
