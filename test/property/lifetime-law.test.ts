/** The law of keys and lifetimes: an image stays what it was until its lifetime ends, and equal keys mean equal images. */
import fc from 'fast-check';
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { aLayer, aTemplate, aVariable, problemsOf } from '../fixtures/template-documents.ts';
import { imageAt } from '../helpers/image-at.ts';
import { extent } from '../helpers/extent.ts';

const dayMs = 86_400_000;

/** Nights in which zones change their clocks, and an ordinary afternoon. */
const startsMs = [
  '2026-03-28T23:40Z',
  '2026-10-24T20:00Z',
  '2026-11-01T04:50Z',
  '2026-11-27T16:00Z',
].map((text) => Date.parse(text));
const start = fc
  .tuple(fc.constantFrom(...startsMs), fc.nat(7200))
  .map(([ms, seconds]) => ms + seconds * 1000);
const date = fc.oneof(
  fc.constantFrom('2026-10-25', '2026-10-25T02:30', '2026-11-01T01:30-05:00', '2026-03-29T02:30'),
  fc
    .tuple(fc.constantFrom(...startsMs), fc.integer({ min: -150_000, max: 250_000 }))
    .map(([ms, seconds]) => new Date(ms + seconds * 1000).toISOString()),
);

const bounds = (bound: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.oneof(
    fc.record({ greaterThan: bound }),
    fc.record({ lessThan: bound }),
    fc.record({ greaterThan: bound, lessThan: bound }),
  );
const word = fc.constantFrom('now', 'today');
const parts = {
  days: 4,
  hours: 24,
  minutes: 60,
  seconds: 60,
  totalHours: 90,
  totalMinutes: 5000,
  totalSeconds: 300_000,
};

/** A question to the time; in a repeated layer also to a date of its item. */
function question(item: boolean): fc.Arbitrary<object> {
  const names = item ? ['end', 'item.ends'] : ['end'];
  const ask = (variable: string, asked: fc.Arbitrary<object>): fc.Arbitrary<object> =>
    asked.map((rest) => ({ variable, ...rest }));
  const ofDate = fc.oneof(date, fc.constantFrom(...names.map((name) => `{{${name}}}`)), word);
  const hour = fc.nat(23);
  const weekdays = fc.subarray(['sunday', 'monday', 'friday'], { minLength: 1 });
  return fc.oneof(
    ask('now', bounds(ofDate)),
    ask('now', fc.record({ equals: date })),
    ask('now.hour', fc.oneof(bounds(hour), fc.record({ equals: hour.map(String) }))),
    ask('now.weekday', fc.record({ oneOf: weekdays })),
    ask('countdown.isOver', fc.record({ equals: fc.constantFrom('true', 'false') })),
    ...names.map((name) => ask(name, bounds(fc.oneof(word, date)))),
    ...Object.entries(parts).map(([name, most]) => {
      const count = fc.nat(most);
      const asked = fc.oneof(bounds(count), fc.record({ equals: count.map(String) }));
      return ask(`countdown.${name}`, asked);
    }),
  );
}

function conditions(item: boolean): fc.Arbitrary<unknown> {
  const asked = question(item);
  const either = fc.oneof(asked, fc.record({ not: asked }));
  const some = fc.array(either, { minLength: 1, maxLength: 3 });
  const inner = fc.oneof(either, fc.record({ all: some }), fc.record({ any: some }));
  const two = fc.array(either, { minLength: 2, maxLength: 2 });
  return fc.oneof(fc.constant(undefined), inner, fc.record({ not: asked }), two);
}

const bindings = [
  'x',
  '{{end | relative}}',
  '{{end | relative:hour}}',
  '{{now | date:long}}',
  '{{now | time}}',
  '{{now.hour}}',
  '{{now.weekday}}',
  '{{countdown.days | plural:one,# day,other,# days}}',
  '{{countdown.hours | pad}}',
  '{{countdown.totalMinutes}}',
  '{{countdown.until | date}}',
  '{{countdown.isOver}}',
];
const text = (item: boolean): fc.Arbitrary<string> =>
  fc.constantFrom(...bindings, ...(item ? ['{{item.ends | relative:hour}}', '{{item.ends}}'] : []));

const layer = fc.record({ text: text(false), visibleWhen: conditions(false) });
const documents = fc.record({
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
  until: fc.oneof(date, fc.constantFrom('sunday 02:30', 'daily 18:00', '{{end}}')),
  end: date,
  layers: fc.array(layer, { minLength: 1, maxLength: 2 }),
  group: fc.record({ visibleWhen: conditions(false), inside: layer }),
  each: fc.record({ text: text(true), visibleWhen: conditions(true) }),
  ends: fc.array(date, { maxLength: 3 }),
});

type Parts = typeof documents extends fc.Arbitrary<infer Value> ? Value : never;

function templateOf({ zone, until, end, layers, group, each, ends }: Parts): Template {
  const list = { name: 'events', type: 'list', fields: [aVariable('ends', 'date', '2026-01-01')] };
  const document = {
    clock: { zone, until },
    variables: [
      aVariable('end', 'date', end),
      { ...list, value: ends.map((ofItem) => ({ ends: ofItem })) },
    ],
    layers: [
      ...layers.map((properties, index) => aLayer('text', { ...properties, id: `l${index}` })),
      aLayer('group', {
        id: 'group',
        visibleWhen: group.visibleWhen,
        layers: [aLayer('text', { ...group.inside, id: 'inside' })],
      }),
      aLayer('stack', {
        id: 'stack',
        direction: 'column',
        repeat: { list: 'events' },
        layers: [{ id: 'each', type: 'text', width: 9, height: 9, ...each }],
      }),
    ],
  };
  // What is undefined is left out.
  return JSON.parse(JSON.stringify(aTemplate(document))) as Template;
}

t.test('an image stays what it was until its lifetime ends, and a key is one image', async (t) => {
  const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: 4,
    maxLength: 4,
  });
  fc.assert(
    fc.property(documents, start, shares, (document, startMs, within) => {
      const template = templateOf(document);
      if (problemsOf(template).length > 0) throw new Error(problemsOf(template).join('\n'));
      const byKey = new Map<string, string>();
      let fromMs = startMs;
      for (const share of within) {
        const image = imageAt(template, fromMs);
        const lastMs = Math.min(image.endMs, fromMs + 60 * dayMs) - 1000;
        for (const atMs of [fromMs + (lastMs - fromMs) * share, lastMs]) {
          const same = imageAt(template, Math.max(fromMs, atMs));
          if (same.drawn === image.drawn && same.key === image.key) continue;
          const [from, at] = [fromMs, atMs].map((ms) => new Date(ms).toISOString());
          throw new Error(`${from} is other at ${at}`);
        }
        if ((byKey.get(image.key) ?? image.drawn) !== image.drawn)
          throw new Error('two images have one key');
        byKey.set(image.key, image.drawn);
        if (image.endMs === Infinity) break;
        fromMs = image.endMs;
      }
    }),
    { numRuns: extent(40, 500) },
  );
  t.pass('and no counterexample');
});
