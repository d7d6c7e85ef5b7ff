import t from 'tap';
import { alternativeText } from '#language/bind/alternative-text.ts';
import { createBinder } from '#language/bind/binder.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import { renderTimeMs } from '#language/clock/clock-use.ts';
import { momentKey } from '#language/clock/lifetime.ts';
import type { RenderMoment } from '#wire/render-moment.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import {
  aLayer,
  aTemplate,
  aVariable,
  layerProblems,
  problemsOf,
} from '../../fixtures/template-documents.ts';

const at = (text: string): number => Date.parse(text);

interface Parts {
  clock?: unknown;
  text?: string;
  visibleWhen?: unknown;
  variables?: unknown[];
}

function templateOf({ clock, text = 'x', visibleWhen, variables = [] }: Parts): Template {
  const document = aTemplate({ variables, layers: [aLayer('text', { text, visibleWhen })], clock });
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

const until = (deadline: string, zone: string): Parts['clock'] => ({ until: deadline, zone });
const berlin = 'Europe/Berlin';
const friday = { until: '2026-11-27T18:00', zone: berlin };
const allParts =
  '{{countdown.days}} {{countdown.hours | pad}}:{{countdown.minutes | pad:2}}:{{countdown.seconds | pad}}';

t.test('a countdown counts days, hours, minutes and seconds to its deadline', async (t) => {
  const counts: [time: string, text: string][] = [
    ['2026-11-25T15:30:50Z', '2 01:29:10'],
    ['2026-11-27T16:59:59.900Z', '0 00:00:01'],
    ['2026-11-27T17:00:00Z', '0 00:00:00'],
    ['2031-01-01T00:00:00Z', '0 00:00:00'],
    ['1969-12-31T23:59:59Z', '20784 17:00:01'],
  ];
  for (const [time, text] of counts) t.equal(drawn({ clock: friday, text: allParts }, time), text);
  const totals = '{{countdown.totalHours}} {{countdown.totalMinutes}} {{countdown.totalSeconds}}';
  t.equal(drawn({ clock: friday, text: totals }, '2026-11-25T15:30:50Z'), '49 2969 178150');
  const words = '{{countdown.days | plural:one,# day,other,# days}} left';
  t.equal(drawn({ clock: friday, text: words }, '2026-11-26T10:00Z'), '1 day left');
});

t.test('days that summer time makes shorter or longer count as their hours', async (t) => {
  const hours = (deadline: string, zone: string, time: string): string | undefined =>
    drawn({ clock: until(deadline, zone), text: '{{countdown.totalHours}}' }, time);
  t.equal(hours('2026-03-30T00:00', berlin, '2026-03-28T23:00Z'), '23');
  t.equal(hours('2026-11-02T00:00', 'America/New_York', '2026-11-01T04:00Z'), '25');
  t.equal(hours('2026-11-02T00:00Z', berlin, '2026-11-01T00:00Z'), '24', 'a zone of its own');
});

t.test('a deadline that comes again is the next one', async (t) => {
  const next = (rule: string, time: string): string | undefined =>
    drawn({ clock: until(rule, berlin), text: '{{countdown.until}}' }, time);
  t.equal(next('friday 18:00', '2026-11-25T12:00Z'), '2026-11-27T18:00:00+01:00');
  t.equal(next('Friday 18:00', '2026-11-27T16:59:59Z'), '2026-11-27T18:00:00+01:00');
  t.equal(next('every fri 18:00', '2026-11-27T17:00Z'), '2026-12-04T18:00:00+01:00');
  t.equal(next('daily 15:00', '2026-11-25T14:00Z'), '2026-11-26T15:00:00+01:00');
  t.equal(next('sunday 02:30', '2026-03-28T12:00Z'), '2026-03-29T03:30:00+02:00', 'skipped hour');
});

t.test('now is the time of the zone', async (t) => {
  const text = '{{now | date:weekday,day,month}} {{now | time:24}} {{now.weekday}} {{now.hour}}';
  t.equal(drawn({ text }, '2026-11-27T23:30Z'), 'Friday, November 27 23:30 friday 23');
  const clock = { zone: 'America/New_York' };
  t.equal(drawn({ clock, text }, '2026-11-28T01:30Z'), 'Friday, November 27 20:30 friday 20');
});

t.test('conditions ask for the time, the countdown, the client and the share', async (t) => {
  const over = { variable: 'countdown.isOver', equals: 'true' };
  const advent = { variable: 'now', greaterThan: '2026-11-29', lessThan: '2026-12-25' };
  const weekend = { variable: 'now.weekday', oneOf: ['saturday', 'sunday'] };
  const evening = { variable: 'now.hour', greaterThan: 17 };
  const apple = { variable: 'client', equals: 'apple-mail-privacy' };
  const half = { variable: 'share', lessThan: 50 };
  const client = 'apple-mail-privacy';
  const cases: [visibleWhen: unknown, time: string, shows: boolean, moment?: RenderMoment][] = [
    [over, '2026-11-27T16:59:59Z', false],
    [over, '2026-11-27T17:00:00Z', true],
    // Midnight in Berlin.
    [advent, '2026-11-28T23:00:00Z', false],
    [advent, '2026-11-28T23:00:01Z', true],
    [advent, '2026-12-24T23:00:00Z', false],
    [weekend, '2026-11-27T22:59:59Z', false],
    [weekend, '2026-11-27T23:00:00Z', true],
    [evening, '2026-11-27T16:59:59Z', false],
    [evening, '2026-11-27T17:00:00Z', true],
    [apple, '2026-11-27T17:00:00Z', false],
    [apple, '2026-11-27T17:00:00Z', true, { client }],
    [half, '2026-11-27T17:00:00Z', true, { share: 49 }],
    [half, '2026-11-27T17:00:00Z', false, { share: 50 }],
  ];
  const parts = { clock: { ...friday, per: '{{id}}' }, variables: [aVariable('id', 'text', '')] };
  for (const [visibleWhen, time, shows, moment] of cases) {
    const text = drawn({ ...parts, visibleWhen }, time, moment);
    t.equal(text !== undefined, shows, `${JSON.stringify(visibleWhen)} ${time}`);
  }
});

t.test('equal keys need not be of the same time', async (t) => {
  const clock = { evergreen: '48h', per: '{{id}}' };
  const variables = [aVariable('id', 'text', '')];
  const template = templateOf({ clock, text: allParts, variables });
  const keyAt = (time: string, untilMs: number): string => {
    const moment = { timeMs: at(time), untilMs };
    return momentKey(template, moment, [createBinder(template, valuesOf(template), moment)]);
  };
  const endMs = at('2026-11-27T17:00Z');
  const first = keyAt('2026-11-25T15:30:50Z', endMs);
  t.equal(keyAt('2026-11-25T15:31:50Z', endMs + 60_000), first, 'as much time is left');
  t.not(keyAt('2026-11-25T15:30:51Z', endMs), first);
});

t.test('a clock is checked when a template is saved', async (t) => {
  const problem = (clock: unknown, text = 'x', variables: unknown[] = []): string | undefined =>
    problemsOf(aTemplate({ clock, variables, layers: [aLayer('text', { text })] }))[0];
  t.match(problem({ zone: 'Mars/Olympus' }), /clock\.zone.*IANA time zone/);
  t.match(problem({ zone: '+05:30' }), /clock\.zone is "\+05:30", expected an IANA time zone/);
  t.match(problem({ until: 'soon' }), /clock\.until is "soon", not a date/);
  t.match(problem({ until: '{{end}}' }), /clock\.until binds \{\{end\}\}/);
  const never = [aVariable('end', 'text', 'never')];
  t.match(problem({ until: '{{end}}' }, 'x', never), /with the default values/);
  t.match(problem({ evergreen: '2 days' }), /clock\.evergreen.*expected a text such as 90m/);
  t.match(problem({ per: 'all' }), /clock\.per.*expected the binding of a variable/);
  t.match(problem({ atZero: { template: 'other' } }), /clock\.atZero needs a countdown/);
  t.match(problem({ zone: 'UTC' }, '{{countdown.days}}'), /needs a clock with until or evergreen/);
  t.match(problem({ zone: 'UTC' }, '{{share}}'), /needs a clock with per/);
  const end = [aVariable('end', 'date', '')];
  t.equal(problem({ until: '{{end | default:friday 18:00}}' }, 'x', end), undefined);
  const visibleWhen = { variable: 'client', equals: 'apple' };
  t.match(layerProblems('rect', { visibleWhen })[0], /expected one of apple-mail-privacy/);
});

t.test('a deadline at the end of all years is a date in every zone', async (t) => {
  const drawnUntil = (deadline: string, zone: string): string | undefined => {
    const text = '{{countdown.until | date:year,month,day}}';
    return drawn({ clock: until(deadline, zone), text }, '2026-11-25T12:00Z');
  };
  for (const zone of ['UTC', 'Asia/Tokyo', 'America/New_York']) {
    t.equal(drawnUntil('9999-12-31T23:59Z', zone), 'December 31, 9999', zone);
    t.match(drawnUntil('0001-01-02T00:00Z', zone), /^January [12], /, zone);
  }
});

t.test('a layer that counts is the same object at each number, and so is its group', async (t) => {
  const count = aLayer('text', { id: 'seconds', text: '{{countdown.seconds}}' });
  const card = aLayer('group', { id: 'card', layers: [count] });
  const template = aTemplate({
    variables: [aVariable('title', 'text', 'Sale')],
    clock: { until: '2026-11-27T18:00' },
    layers: [card, aLayer('text', { id: 'title', text: '{{title}}' })],
  }) as unknown as Template;
  const layersAt = (time: string, title: string): unknown[] =>
    resolveLayers(template, new Map([['title', title]]), { timeMs: at(time) }).layers;
  const countOf = ([group]: unknown[]): unknown => (group as { layers: unknown[] }).layers[0];
  const first = layersAt('2026-11-27T17:50:00Z', 'a');
  const second = layersAt('2026-11-27T17:50:01Z', 'b');
  const minuteLater = layersAt('2026-11-27T17:51:00Z', 'c');
  t.equal(countOf(minuteLater), countOf(first));
  t.not(countOf(second), countOf(first));
  const again = layersAt('2026-11-27T17:51:00Z', 'd');
  t.equal(again[0], minuteLater[0]);
  t.not(again[1], minuteLater[1]);
});

t.test('an alt says live values', async (t) => {
  const alt = 'until {{countdown.until | time:24}}, {{countdown.days}} days';
  const layers = [aLayer('text', { text: 'x' })];
  const template = aTemplate({ alt, clock: friday, layers }) as unknown as Template;
  const moment = { timeMs: at('2026-11-25T12:00Z') };
  t.equal(alternativeText(template, new Map(), moment), 'until 18:00, 2 days');
});

t.test('no frame of an animation changes what the clock reads', async (t) => {
  const document = aTemplate({
    variables: [aVariable('deadline', 'date', ''), aVariable('title', 'text', '')],
    clock: { until: '{{deadline | default:friday 18:00}}' },
    layers: [aLayer('text', { text: '{{title}}' })],
    animation: { type: 'values', frames: [{ values: { deadline: '2026-12-24' }, seconds: 1 }] },
  });
  t.match(problemsOf(document), [/animation\.frames\[0\]\.values\.deadline is read by the clock/]);
});
