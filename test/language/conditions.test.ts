import t from 'tap';
import { resolveLayers } from '#language/bind/layers.ts';
import { clockUnitOf } from '#language/clock/clock-use.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import {
  aLayer,
  aTemplate,
  aVariable,
  layerProblems,
  problemsOf,
} from '../fixtures/template-documents.ts';

const variables = [
  aVariable('tier', 'text', 'Gold'),
  aVariable('points', 'number', '7.0', { max: 9 }),
  aVariable('limit', 'number', '5'),
  aVariable('color', 'color', '#FF0000'),
  aVariable('vip', 'boolean', 'true'),
  aVariable('end', 'date', '2026-11-27'),
  aVariable('start', 'date', '2026-11-20T00:00Z'),
  aVariable('short', 'text', '', { maxLength: 3, whenEmpty: 'empty' }),
];
const timeMs = Date.UTC(2026, 10, 23, 9);

function templateOf(layer: Record<string, unknown>): Template {
  const document = aTemplate({ variables, layers: [layer] });
  t.same(problemsOf(document), []);
  return document as unknown as Template;
}

/** Whether a layer with a condition shows, for values in place of some defaults. */
function asking(visibleWhen: unknown): (values?: Record<string, string>) => boolean {
  const template = templateOf(aLayer('rect', { visibleWhen }));
  const defaults = template.variables.map((each) => [each.name, defaultText(each)] as const);
  return (values = {}) => {
    const given = new Map([...defaults, ...Object.entries(values)]);
    return resolveLayers(template, given, { timeMs }).layers.length === 1;
  };
}

const shows = (condition: unknown, values?: Record<string, string>): boolean =>
  asking(condition)(values);

const gold = { variable: 'tier', equals: 'Gold' };
const silver = { variable: 'tier', equals: 'Silver' };

t.test('conditions are joined by all, any and not', async (t) => {
  t.ok(shows([]), 'no condition holds');
  t.ok(shows({ all: [gold, { variable: 'points', greaterThan: 5 }] }));
  t.notOk(shows({ all: [gold, silver] }));
  t.ok(shows({ any: [silver, gold] }));
  t.notOk(shows({ any: [silver, silver] }));
  t.ok(shows({ not: silver }));
  t.ok(shows({ not: { all: [gold, silver] } }));
  t.ok(shows([gold, { any: [silver, { not: silver }] }]));
  t.notOk(shows([gold, silver]));
});

t.test('a condition compares with texts and with other variables', async (t) => {
  t.ok(shows({ variable: 'tier', equals: '{{color}}' }, { tier: '#FF0000' }));
  t.ok(shows({ variable: 'tier', oneOf: ['x', '{{color}}'] }, { tier: '#FF0000' }));
  t.notOk(shows({ variable: 'tier', oneOf: ['x', '{{color}}'] }, { tier: '#FF0001' }));
  t.ok(shows({ variable: 'points', oneOf: ['1', ''] }, { points: '' }));
  t.notOk(shows({ variable: 'tier', notEquals: '{{color}}' }, { tier: '#FF0000' }));
  t.notOk(shows({ variable: 'points', greaterThan: -1 }, { points: '' }), 'nothing is no number');
  t.ok(shows({ variable: 'points', greaterThan: '{{limit}}' }));
  t.notOk(shows({ variable: 'points', lessThan: '{{limit}}' }));
  t.notOk(shows({ variable: 'points', equals: '{{limit}}' }));
});

t.test('a condition compares values as what their variable is', async (t) => {
  for (const equals of ['#FF0000', '#ff0000', '#F00', '#f00f', '#FF0000ff']) {
    t.ok(shows({ variable: 'color', equals }), equals);
    t.ok(shows({ variable: 'color', oneOf: ['#123', equals] }, { color: '#ff0000' }));
    t.notOk(shows({ variable: 'color', notEquals: equals }, { color: '#f00' }));
  }
  t.notOk(shows({ variable: 'color', equals: '#ff000080' }));
  for (const equals of ['7', '7.0', '+7', '07']) {
    t.ok(shows({ variable: 'points', equals }), equals);
    t.ok(shows({ variable: 'points', equals }, { points: '7' }));
  }
  t.ok(shows({ variable: 'points', equals: '-0' }, { points: '0' }));
  t.notOk(shows({ variable: 'points', equals: '7.01' }));
  for (const vip of ['true', 'YES', '1'])
    t.ok(shows({ variable: 'vip', equals: 'true' }, { vip }), vip);
  t.ok(shows({ variable: 'vip', notEquals: 'true' }, { vip: 'off' }));
  t.notOk(shows({ variable: 'tier', equals: '7' }, { tier: '7.0' }), 'a text letter by letter');
});

t.test('letters are compared without case where asked', async (t) => {
  t.notOk(shows({ variable: 'tier', equals: 'GOLD' }));
  t.ok(shows({ variable: 'tier', equals: 'gold', ignoreCase: true }));
  t.notOk(shows({ variable: 'tier', notEquals: 'gold', ignoreCase: true }));
  const both = [
    { variable: 'tier', equals: 'gold', ignoreCase: true },
    { variable: 'tier', equals: 'gold' },
  ];
  t.notOk(shows(both), 'each condition has its own rule of case');
  const bound = { variable: 'tier', oneOf: ['no', 'the {{tier}} {{short}}', '{{short}}ẞ'] };
  const asked = asking({ ...bound, ignoreCase: true });
  t.notOk(asked({ tier: 'STRAE', short: 'sTra' }));
  t.ok(asked({ tier: 'STRAß', short: 'sTra' }), 'a value that the text contains, too');
  t.ok(shows({ variable: 'tier', equals: 'οδός', ignoreCase: true }, { tier: 'ΟΔΌΣ' }));
  t.ok(
    asking({ variable: 'tier', equals: '{{short}}', ignoreCase: true })({
      tier: 'ΑΣ',
      short: 'ας',
    }),
  );
  t.ok(shows({ variable: 'points', equals: '{{limit}}', ignoreCase: true }, { limit: '7' }));
});

t.test('dates are compared as moments, with the time of the render too', async (t) => {
  t.ok(shows({ variable: 'end', greaterThan: '{{start}}' }));
  t.ok(shows({ variable: 'end', equals: '27 Nov 2026' }));
  t.ok(shows({ variable: 'end', lessThan: '2026-11-27T00:30+00:00' }));
  t.notOk(shows({ variable: 'end', lessThan: '2026-11-27T00:30+01:00' }));
  t.ok(shows({ variable: 'end', greaterThan: 'now' }));
  t.ok(shows({ variable: 'start', lessThan: 'today' }));
  t.notOk(shows({ variable: 'short', lessThan: 5 }));
});

t.test('a question that was asked before is answered for the values of now', async (t) => {
  const folded = asking({ variable: 'tier', oneOf: ['STRASSE', 'b'], ignoreCase: true });
  const tiers = [{ tier: 'straße' }, { tier: 'c' }, { tier: 'B' }];
  t.same(tiers.map(folded), [true, false, true]);
  const later = asking({ variable: 'end', greaterThan: '2026-02-01' });
  const ends = [{ end: '2026-03-01' }, { end: '2026-01-01' }, { end: 'x' }];
  t.same(ends.map(later), [true, false, false]);
});

t.test('a template needs a clock if a condition asks for the time', async (t) => {
  const unitOf = (visibleWhen: unknown): unknown =>
    clockUnitOf(templateOf(aLayer('text', { spans: [{ text: 'x', visibleWhen }] })));
  t.equal(unitOf({ any: [{ variable: 'end', lessThan: 'now' }] }), 'minute');
  t.equal(unitOf({ variable: 'end', greaterThan: 'today' }), 'day');
  t.equal(unitOf({ variable: 'end', greaterThan: '2026-01-01' }), undefined);
  t.equal(unitOf({ variable: 'tier', equals: 'now' }), undefined);
});

t.test('a span shows by its condition, with every value again', async (t) => {
  const drawnWith = (spans: unknown[], tier: string, points = '7'): unknown => {
    const values = new Map(Object.entries({ tier, points }));
    const { layers, invalid } = resolveLayers(templateOf(aLayer('text', { spans })), values);
    t.same(invalid, []);
    const [layer] = layers;
    return layer?.type === 'text' && layer.spans?.map((span) => span.text);
  };
  const spans = [
    { text: 'Hi' },
    { text: ' {{points}}', visibleWhen: { variable: 'points', greaterThan: 5 } },
    { text: '!', visibleWhen: gold },
  ];
  t.same(drawnWith(spans, 'Gold'), ['Hi', ' 7', '!']);
  t.same(drawnWith(spans, 'Silver'), ['Hi', ' 7']);
  t.same(drawnWith(spans, 'Gold', '3'), ['Hi', '!']);
  t.same(drawnWith(spans.slice(2), 'Tin'), ['']);
});

t.test('a condition that cannot be compared, or can never hold, is refused', async (t) => {
  const refused: [visibleWhen: unknown, problem: RegExp][] = [
    [
      { variable: 'vip', equals: 'yes' },
      /^layers\[0\]\.visibleWhen\.equals is "yes", expected "true" or "false": "vip" has no other values$/,
    ],
    [
      [{ variable: 'points', oneOf: ['5', 'five'] }],
      /^layers\[0\]\.visibleWhen\[0\]\.oneOf\[1\] is "five", expected a number of at most 9/,
    ],
    [{ variable: 'points', notEquals: '10' }, /notEquals is "10", expected a number of at/],
    [{ variable: 'color', equals: 'red' }, /equals is "red", expected a colour/],
    [{ variable: 'short', equals: 'abcd' }, /equals has 4 characters, the limit is 3/],
    [
      { any: [{ variable: 'nobody', set: true }] },
      /layers\[0\]\.visibleWhen\.any\[0\] names "nobody", but the template has no variable/,
    ],
    [
      { variable: 'points', greaterThan: 'now' },
      /visibleWhen\.greaterThan is "now", expected a number: "points" is of the type number/,
    ],
    [{ variable: 'end', lessThan: 5 }, /lessThan is 5, expected now, today or a date such as/],
    [{ variable: 'end', lessThan: '03/04/2026' }, /expected now, today or a date/],
    [{ any: [] }, /visibleWhen\.any .*expected a list of 1 to 8 conditions/],
    [{ some: [] }, /visibleWhen/],
  ];
  for (const [visibleWhen, problem] of refused)
    t.match(layerProblems('rect', { visibleWhen }, variables), [problem]);
  const bound = { variable: 'vip', equals: '{{short}}' };
  t.same(layerProblems('rect', { visibleWhen: bound }, variables), [], 'a value may be anything');
});

t.test('the conditions of all frames have a size', async (t) => {
  const oneOf = Array.from({ length: 50 }, (_, index) => `text ${index}`);
  const layersOf = (count: number, type: string, properties: object): unknown[] =>
    Array.from({ length: count }, (_, index) =>
      aLayer(type, { id: `${type}${index}`, ...properties }),
    );
  const problemsIn = (frames: number, layers: unknown[]): string[] => {
    const values = (index: number) => ({ values: { limit: String(index) }, seconds: 0.1 });
    const all = Array.from({ length: frames }, (_, index) => values(index));
    return problemsOf(aTemplate({ variables, layers, animation: { type: 'values', frames: all } }));
  };
  const asked = (properties: object = {}): unknown[] =>
    layersOf(70, 'rect', { visibleWhen: { variable: 'tier', oneOf, ...properties } });
  t.same(problemsIn(100, asked()), []);
  const size = /^layers have \d{7} characters of conditions in 120 frames/;
  t.match(problemsIn(120, asked()), [size]);
  const bound = asked({ equals: '{{limit}}' });
  t.match(problemsIn(90, bound), [/characters of conditions in 90 frames/]);
  const images = (name: string): unknown[] =>
    layersOf(100, 'image', { src: `https://example.com/{{${name}}}.png` });
  t.same(problemsIn(120, images('tier')), [], 'frames do not change the tier');
  t.same(problemsIn(30, images('limit')), []);
  const chosen =
    /^layers choose images by \d{7} characters of conditions, bindings and layers in 60 frames/;
  t.match(problemsIn(60, images('limit')), [chosen]);
});

t.test('texts are compared in their composed form', async (t) => {
  const composed = 'José 김민준';
  const decomposed = composed.normalize('NFD');
  for (const [condition, value] of [
    [composed, decomposed],
    [decomposed, composed],
    [decomposed, decomposed],
  ] as const) {
    t.ok(shows({ variable: 'tier', equals: condition }, { tier: value }));
    t.notOk(shows({ variable: 'tier', notEquals: condition }, { tier: value }));
    t.ok(shows({ variable: 'tier', oneOf: ['x', condition] }, { tier: value }));
    const upper = condition.toUpperCase();
    t.ok(shows({ variable: 'tier', equals: upper, ignoreCase: true }, { tier: value }));
  }
  const long = 'é'.repeat(300);
  t.ok(shows({ variable: 'tier', equals: long }, { tier: long.normalize('NFD') }), 'a long text');
});
