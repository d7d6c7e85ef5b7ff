import t from 'tap';
import { parseQuery } from '../../src/http/query.ts';
import { changesAt } from '../../src/render/moment.ts';
import { defaultOrderForReader, RenderOrder } from '../../src/render/order.ts';
import { resolveOptions } from '../../src/render/request.ts';
import type { RenderOptions } from '../../src/render/request.ts';
import { noTables } from '../../src/render/table-values.ts';
import { checkVariables, repairVariables, resolveVariables } from '../../src/render/values.ts';
import type { PublishedTemplate } from '../../src/store/published-cache.ts';
import type { Template } from '#language/schema/template.ts';
import type { LiveClient } from '#wire/render-moment.ts';
import { publishedTemplate, textVariable } from '../fixtures/published.ts';

const frame = { id: 'a', type: 'text', x: 0, y: 0, width: 100, height: 50 } as const;
const template = publishedTemplate({
  clock: { until: '{{deadline}}', zone: 'Europe/Berlin', evergreen: '48h', per: '{{contact}}' },
  variables: [
    textVariable('deadline', { value: '2026-12-24' }),
    textVariable('contact', { value: '' }),
    textVariable('name'),
  ],
  layers: [{ ...frame, text: '{{name}} {{countdown.hours}}' }],
});
const nowMs = Date.parse('2026-11-25T12:00:00Z');

function orderOf(link: string, startedMs?: number): RenderOrder {
  return orderAt(template, link, { startedMs });
}

function orderAt(
  published: PublishedTemplate,
  link: string,
  { timeMs = nowMs, ...reader }: Partial<RenderOptions>,
): RenderOrder {
  const query = parseQuery(link);
  const options = resolveOptions({ uid: 'test', format: undefined }, query, published, timeMs);
  const values = resolveVariables(published, query, noTables);
  return new RenderOrder(published, { ...options, ...reader }, values);
}

t.test('a deadline that is none is refused, or the image has no countdown', async (t) => {
  const query = parseQuery('deadline=soon&name=Ann');
  t.throws(() => resolveVariables(template, query, noTables), {
    code: 'BAD_REQUEST',
    message: /^Invalid variable value: "deadline" is not a date .*: "soon"\.$/,
  });
  t.equal(repairVariables(template, query, noTables).get('deadline'), '');
  const { values, problems } = checkVariables(template, query, noTables);
  t.match(problems, [{ variable: { name: 'deadline' }, reason: 'date' }]);
  t.equal(values.get('deadline'), '');
  t.equal(values.get('name'), 'Ann');
});

t.test('of a deadline in two parts the one that the link gives is named', async (t) => {
  const inParts = publishedTemplate({
    clock: { until: '{{day}}T{{time}}' },
    variables: [
      textVariable('day', { value: '2026-12-24' }),
      textVariable('time', { value: '18:00' }),
    ],
    layers: [{ ...frame, text: '{{countdown.days}}' }],
  });
  const query = parseQuery('time=x');
  t.throws(() => resolveVariables(inParts, query, noTables), { message: /"time" is not a date/ });
  const both = repairVariables(inParts, parseQuery('day=2026-02-31&time=x'), noTables);
  t.same([both.get('day'), both.get('time')], ['', ''], 'never the sample');
});

t.test('a contact that is too long is refused, or counts as none', async (t) => {
  const query = parseQuery(`contact=${'x'.repeat(501)}`);
  t.throws(() => resolveVariables(template, query, noTables), /more than 500 characters/);
  t.equal(repairVariables(template, query, noTables).get('contact'), '');
});

t.test('the first of deadline and duration ends a countdown', async (t) => {
  const hour = 3_600_000;
  t.equal(orderOf('').options.untilMs, nowMs + 48 * hour, 'nobody has begun');
  t.equal(orderOf('', nowMs - 47 * hour).options.untilMs, nowMs + hour);
  t.equal(orderOf('', nowMs + 5 * hour).options.untilMs, nowMs + 48 * hour, 'a clock set back');
  const early = orderOf('deadline=2026-11-25T14:00');
  t.equal(early.options.untilMs, nowMs + hour, 'in Berlin');
});

t.test('what the clock alone reads is no part of the key', async (t) => {
  const { key } = orderOf('contact=ann&deadline=2027-01-01');
  t.equal(orderOf('contact=bob&deadline=2028-01-01').key, key, 'as much time left');
  t.not(orderOf('contact=ann&deadline=2026-11-26').key, key);
  t.not(orderOf('contact=ann&deadline=2027-01-01&name=Ann').key, key);
});

t.test('where nothing can be drawn, only an image of the same clock and reader stands in', (t) => {
  const { timelessKey } = orderOf('deadline=2026-11-25T14:00');
  const at = (link: string, reader: object): string | undefined =>
    orderAt(template, link, reader).timelessKey;
  t.equal(at('deadline=2026-11-25T14:00', { timeMs: nowMs + 5000 }), timelessKey);
  t.not(at('deadline=2026-11-25T14:01', {}), timelessKey);
  t.not(at('deadline=2026-11-25T14:00', { startedMs: nowMs - 47.5 * 3_600_000 }), timelessKey);
  t.equal(at('deadline=2026-11-25T14:00&name=Ann', {}), undefined, 'defaults alone stand in');
  const shown = publishedTemplate({
    clock: { until: '{{deadline}}' },
    variables: [textVariable('deadline', { value: '2026-12-24' })],
    layers: [{ ...frame, text: '{{deadline}}: {{countdown.days}}' }],
  });
  const { options, values } = orderAt(shown, 'deadline=2026-11-30', {});
  const inPlace = defaultOrderForReader(shown, options, () => values, {});
  t.equal(inPlace.options.untilMs, Date.parse('2026-11-30'), 'also where it is drawn as a text');
  t.end();
});

t.test('an image stands in for all readers who see the same', async (t) => {
  const time = { ...frame, text: '{{now | time}}' };
  const ask = (layer: object, contact: string, client: LiveClient = 'other'): RenderOrder => {
    const published = publishedTemplate({
      clock: { per: '{{contact}}' },
      variables: [textVariable('contact', { value: '' }), textVariable('limit', { value: '50' })],
      layers: [{ ...time, ...layer }],
    });
    return orderAt(published, `contact=${contact}`, { client });
  };
  const keyOf = (...asked: Parameters<typeof ask>): unknown => ask(...asked).timelessKey;
  const drawn = { text: '{{client}} {{now | time}}' };
  t.not(keyOf(drawn, 'ann', 'gmail-proxy'), keyOf(drawn, 'ann'));
  const asked = {
    visibleWhen: [
      { variable: 'client', notEquals: 'apple-mail-privacy' },
      {
        any: [
          { variable: 'now.hour', lessThan: 9 },
          { variable: 'share', lessThan: 50 },
        ],
      },
    ],
  };
  const contacts = Array.from({ length: 20 }, (_, index) => String(index));
  const isLow = (contact: string): boolean => (ask(asked, contact).options.share ?? 50) < 50;
  const [low = '', otherLow = ''] = contacts.filter(isLow);
  const [high = ''] = contacts.filter((contact) => !isLow(contact));
  const one = keyOf(asked, low);
  t.equal(keyOf(asked, otherLow, 'gmail-proxy'), one);
  t.not(keyOf(asked, low, 'apple-mail-privacy'), one);
  t.not(keyOf(asked, high), one, 'whatever the hour is');
  const compared = { visibleWhen: { variable: 'share', lessThan: '{{limit}}' } };
  t.not(keyOf(compared, low), keyOf(compared, otherLow), 'items and frames may change it');
});

t.test('an animation that does not count is kept until its frames change', async (t) => {
  const ends = { name: 'ends', type: 'date', value: '2027-01-01' } as const;
  const layers = [{ ...frame, text: '{{ends | relative}}' }];
  const values = ['2026-11-27', '2026-11-26T12:30'].map((each) => ({
    values: { ends: each },
    seconds: 1,
  }));
  const soon = publishedTemplate({
    variables: [ends],
    layers: [{ ...frame, text: '{{ends | relative:hour}}' }],
    animation: { type: 'values', frames: values },
  });
  const first = orderAt(soon, '_format=gif', {});
  t.equal(new Date(changesAt(first)).toISOString(), '2026-11-25T12:31:00.000Z');
  t.not(orderAt(soon, '_format=gif', { timeMs: changesAt(first) }).key, first.key);
  t.equal(orderAt(soon, '_format=gif&_frames=2', {}).key, first.key, 'as many frames');
  t.not(orderAt(soon, '_format=gif&_frames=1', {}).key, first.key);
  const moving = publishedTemplate({
    variables: [ends],
    clock: { zone: 'Europe/Berlin' },
    layers: [...layers, { ...frame, id: 'b', text: '{{now | date}}' }],
    animation: { type: 'motion', seconds: 1, tracks: [{ layer: 'a', property: 'x' }] },
  });
  const { key } = orderAt(moving, '_format=gif', {});
  t.equal(orderAt(moving, '_format=gif', { timeMs: nowMs + 3_600_000 }).key, key);
  t.not(orderAt(moving, '_format=gif', { timeMs: nowMs + 12 * 3_600_000 }).key, key);
});

t.test('a countdown that its reader does not see stands still', async (t) => {
  const seconds = {
    ...frame,
    text: '{{countdown.seconds}}',
    visibleWhen: { variable: 'client', notEquals: 'apple-mail-privacy' },
  } as const;
  const variant = publishedTemplate({
    clock: { until: '2026-12-24T18:00', zone: 'Europe/Berlin' },
    layers: [seconds, { ...frame, id: 'date', text: 'ends {{countdown.until | date}}' }],
  });
  const at = (client: LiveClient, timeMs: number): RenderOrder =>
    orderAt(variant, '_format=gif', { client, timeMs });
  const apple = at('apple-mail-privacy', nowMs);
  t.equal(apple.options.frames, undefined);
  t.equal(changesAt(apple), Infinity);
  t.equal(at('apple-mail-privacy', nowMs + 86_400_000).key, apple.key);
  const other = at('other', nowMs);
  t.equal(other.options.frames, 60);
  t.equal(changesAt(other), nowMs + 1000);
  t.not(at('other', nowMs + 1000).key, other.key);
});

t.test('readers who differ when a countdown is over do not share its animation', async (t) => {
  const half = (question: object): object[] => [
    { variable: 'countdown.isOver', equals: 'true' },
    { variable: 'share', ...question },
  ];
  const layers = [
    { ...frame, text: '{{countdown.seconds}}' },
    { ...frame, id: 'b', text: 'A', visibleWhen: half({ lessThan: 50 }) },
    { ...frame, id: 'c', text: 'B', visibleWhen: half({ greaterThan: 49 }) },
  ] as Template['layers'];
  const clock = { until: '2026-11-30T18:00', zone: 'Europe/Berlin', per: '{{contact}}' };
  const later = publishedTemplate({ clock, variables: [textVariable('contact')], layers });
  const timeMs = Date.parse('2026-11-30T16:59:55Z');
  const keys = Array.from({ length: 20 }, (_, contact) => {
    return orderAt(later, `contact=${contact}&_format=gif&_frames=10`, { timeMs }).key;
  });
  t.equal(new Set(keys).size, 2, 'each half has its file');
});
