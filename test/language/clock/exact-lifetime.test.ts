/** The law of lifetimes: until its end an image is what it was, with the same key, and then it is another one. */
import t from 'tap';
import type { Test } from 'tap';
import { createBinder } from '#language/bind/binder.ts';
import { changesAtMs, momentKey } from '#language/clock/lifetime.ts';
import type { Template } from '#language/schema/template.ts';
import { aLayer, aTemplate, aVariable, problemsOf } from '../../fixtures/template-documents.ts';
import { imageAt } from '../../helpers/image-at.ts';

const dayMs = 86_400_000;
const berlin = 'Europe/Berlin';
const restarting = 'sunday 02:30';
const newYork = 'America/New_York';

function templateOf(layers: unknown[], properties: Record<string, unknown>): Template {
  const document = aTemplate({ layers, ...properties });
  t.same(problemsOf(document), []);
  return document as unknown as Template;
}

/** A template that draws a layer where a condition holds. */
function asking(visibleWhen: unknown, properties: Record<string, unknown>): Template {
  return templateOf([aLayer('text', { text: 'x', visibleWhen })], properties);
}

/** A template whose stack draws a text for each of three events. */
function repeating(text: string, visibleWhen: unknown, zone: string | undefined): Template {
  const fields = [aVariable('ends', 'date', '2026-01-01')];
  const ends = ['2026-10-25T02:30+02:00', '2026-11-01', '2026-12-24T09:15'];
  const value = ends.map((each) => ({ ends: each }));
  const layer = { id: 'each', type: 'text', width: 10, height: 10, text, visibleWhen };
  const stack = { direction: 'column', repeat: { list: 'events' }, layers: [layer] };
  const variables = [{ name: 'events', type: 'list', fields, value }];
  const clock = zone === undefined ? {} : { clock: { zone } };
  return templateOf([aLayer('stack', stack)], { variables, ...clock });
}

/** Follows the image of a template from change to change. */
function follow(t: Test, name: string, template: Template, startMs: number): void {
  let fromMs = startMs;
  for (let change = 0; change < 4; change += 1) {
    const image = imageAt(template, fromMs);
    const lastMs = Math.min(image.endMs, fromMs + 400 * dayMs);
    for (const part of [0.1, 0.37, 0.62, 0.9, 1]) {
      const within = imageAt(template, fromMs + (lastMs - 1000 - fromMs) * part);
      const said = `${name} of ${new Date(fromMs).toISOString()}, after ${part}`;
      if (within.drawn !== image.drawn || within.key !== image.key) t.fail(said);
    }
    if (image.endMs === Infinity) break;
    const next = imageAt(template, image.endMs);
    // Where a countdown that comes again begins, the image before it ends.
    const isRestart = template.clock?.until === restarting && image.endMs === image.untilMs;
    if (!isRestart && (next.drawn === image.drawn || next.key === image.key)) {
      t.fail(`${name} changes at ${new Date(image.endMs).toISOString()}`);
    }
    fromMs = image.endMs;
  }
  t.pass(name);
}

t.test('an image lasts until a condition has another answer, and no second longer', async (t) => {
  const end = aVariable('end', 'date', '2026-11-27T18:00');
  const conditions: unknown[] = [
    { variable: 'now', greaterThan: '2026-10-25T02:30', lessThan: '2026-11-01T01:30-05:00' },
    { variable: 'now', equals: '2026-12-01' },
    { variable: 'now', oneOf: ['2026-10-25T02:00+01:00', '2026-11-20T12:00:30'] },
    { variable: 'now', greaterThan: '{{end}}' },
    { variable: 'now', greaterThan: 'today' },
    { variable: 'now.hour', oneOf: ['1', '2'] },
    { variable: 'now.hour', lessThan: 9 },
    { variable: 'now.weekday', notEquals: 'sunday' },
    { variable: 'countdown.days', equals: '3' },
    { variable: 'countdown.days', oneOf: ['0', '30'] },
    { variable: 'countdown.days', notEquals: '1', lessThan: 7 },
    { variable: 'countdown.hours', lessThan: 5 },
    { variable: 'countdown.minutes', equals: '30' },
    { variable: 'countdown.seconds', greaterThan: 57 },
    { variable: 'countdown.totalHours', greaterThan: 23.5, lessThan: 48 },
    { variable: 'countdown.totalMinutes', equals: '90' },
    { variable: 'countdown.isOver', equals: 'true' },
    ...['end', 'countdown.until'].flatMap((variable) =>
      ['now', 'today'].flatMap((moment) => [
        { variable, greaterThan: moment },
        { variable, lessThan: moment },
      ]),
    ),
    { variable: 'client', equals: 'other' },
  ];
  for (const zone of [berlin, newYork]) {
    for (const until of ['2026-11-27T18:00', restarting]) {
      const properties = { clock: { until, zone }, variables: [end] };
      for (const condition of conditions) {
        for (const start of ['2026-10-24T21:17:13Z', '2026-11-01T04:59:59Z', '2026-11-27T16:50Z']) {
          const name = `${zone} ${until} ${JSON.stringify(condition)}`;
          follow(t, name, asking(condition, properties), Date.parse(start));
        }
      }
    }
  }
});

t.test('items of a list change one by one', async (t) => {
  const [later, sooner] = [{ greaterThan: 'now' }, { lessThan: 'today' }];
  const now = { variable: 'now', greaterThan: '{{item.ends}}' };
  const cases: [text: string, visibleWhen: unknown, zone?: string][] = [
    ['{{item.ends}}', { variable: 'item.ends', ...later }],
    ['{{item.ends}}', { variable: 'item.ends', ...sooner }, berlin],
    ['{{item.ends}}', now, newYork],
    ['{{item.ends | relative}}', undefined, berlin],
    ['{{item.ends | relative:hour}}', undefined],
  ];
  for (const [text, visibleWhen, zone] of cases) {
    const template = repeating(text, visibleWhen, zone);
    const name = `${text} ${JSON.stringify(visibleWhen)}`;
    for (const start of ['2026-10-23T21:17:13Z', '2026-12-20T08:00Z', '2026-12-24T09:14:59Z']) {
      follow(t, name, template, Date.parse(start));
    }
  }
});

t.test('an image lasts until a text is another one, and no second longer', async (t) => {
  const parts = 'seconds minutes totalHours days isOver until'.split(' ');
  const texts = [
    ...parts.map((part) => `{{countdown.${part}}}`),
    ...['now | time', 'now | date', 'now.weekday'].map((value) => `{{${value}}}`),
    ...['', ':hour', ':minute'].map((unit) => `{{end | relative${unit}}}`),
    '{{countdown.hours}} {{now | date}}',
  ];
  const variables = [aVariable('end', 'date', '2026-10-25T02:30+02:00')];
  for (const zone of [berlin, newYork, 'Asia/Kolkata']) {
    for (const text of texts) {
      const clock = { until: '2026-11-27T18:00', zone };
      const template = templateOf([aLayer('text', { text })], { clock, variables });
      for (const start of ['2026-10-24T23:50:07Z', '2026-11-25T15:30:50Z', '2026-11-27T16:59Z']) {
        follow(t, `${zone} ${text}`, template, Date.parse(start));
      }
    }
  }
  const clock = { until: 'friday 18:00', zone: berlin };
  const start = Date.parse('2026-11-27T16:00Z');
  // The next countdown begins; an hour that the clock shows twice is two hours.
  for (const text of ['{{countdown.days}}', '{{now.hour}}']) {
    const template = templateOf([aLayer('text', { text })], { clock });
    t.equal(imageAt(template, start).endMs, start + 3_600_000, text);
  }
});

t.test('what is hidden changes no image', async (t) => {
  const clock = { until: '2026-11-27T18:00', zone: berlin };
  const running = aLayer('text', {
    text: '{{countdown.minutes}}:{{countdown.seconds}} {{end | relative:minute}}',
    visibleWhen: { variable: 'client', notEquals: 'other' },
  });
  const date = aLayer('text', { id: 'b', text: 'ends {{countdown.until | date}}' });
  const early = { variable: 'now.hour', lessThan: 9 };
  const group = aLayer('group', {
    id: 'c',
    visibleWhen: { variable: 'now', greaterThan: '2026-12-01' },
    layers: [aLayer('text', { id: 'd', text: 'x', visibleWhen: early })],
  });
  const spans = [
    { text: 'ends soon' },
    { text: '{{countdown.hours}}', visibleWhen: { variable: 'countdown.days', lessThan: 1 } },
  ];
  const text = aLayer('text', { id: 'e', spans });
  const variables = [aVariable('end', 'date', '2026-11-27T18:00')];
  const template = templateOf([running, date, group, text], { clock, variables });
  const image = imageAt(template, Date.parse('2026-11-20T12:00:07Z'));
  t.equal(new Date(image.endMs).toISOString(), '2026-11-26T17:00:01.000Z', 'hours are shown then');
  follow(t, 'hidden layers', template, Date.parse('2026-11-20T12:00:07Z'));
});

t.test('conditions that decide together change an image only together', async (t) => {
  const properties = { clock: { until: '2026-11-27T18:00', zone: newYork } };
  const weekend = { variable: 'now.weekday', oneOf: ['saturday', 'sunday'] };
  const evening = { variable: 'now.hour', greaterThan: 17 };
  const over = { variable: 'countdown.isOver', equals: 'true' };
  for (const condition of [
    { all: [weekend, evening] },
    [weekend, { not: evening }],
    { any: [over, { all: [weekend, evening] }] },
    { not: { any: [over, evening] } },
  ]) {
    const start = Date.parse('2026-11-18T17:20:40Z');
    follow(t, JSON.stringify(condition), asking(condition, properties), start);
  }
});

t.test('more questions than a request may search end an image with the second', async (t) => {
  const endMs = Date.parse('2030-01-01');
  const layers = Array.from({ length: 201 }, (_, index) =>
    aLayer('rect', {
      id: `r${index}`,
      visibleWhen: { variable: 'now', lessThan: new Date(endMs + index * dayMs).toISOString() },
    }),
  );
  const startMs = Date.parse('2026-11-18T17:20:40Z');
  t.equal(imageAt(templateOf(layers, {}), startMs).endMs, startMs + 1000);
  t.equal(imageAt(templateOf(layers.slice(0, 3), {}), startMs).endMs, endMs);
});

t.test('an image that asks more than a request may answer has the time in its key', async (t) => {
  const startMs = Date.parse('2026-11-18T17:20:40Z');
  const hour = { variable: 'now.hour', lessThan: 99 };
  const questions = { all: Array(8).fill({ any: Array(8).fill(hour) }) };
  const layers = Array.from({ length: 20 }, (_, index) => {
    const visibleWhen = [{ ...hour, lessThan: 90 + index }, questions];
    return aLayer('rect', { id: `r${index}`, visibleWhen });
  });
  const atOf = (layer: number, laterMs: number) =>
    imageAt(templateOf(layers.slice(0, layer), {}), startMs + laterMs);
  t.equal(atOf(20, 0).endMs, startMs + 1000);
  t.not(atOf(20, 0).key, atOf(20, 1000).key, 'each second is an image');
  t.equal(atOf(1, 0).key, atOf(1, 1000).key);
  const template = templateOf(layers.slice(0, 2), {});
  const moment = { timeMs: startMs };
  const binder = createBinder(template, new Map(), moment);
  const frames = Array(120).fill(binder) as (typeof binder)[];
  t.equal(changesAtMs(template, moment, frames), startMs + 1000, 'each frame asks');
  t.match(momentKey(template, moment, frames), String(startMs));
});
