import t from 'tap';
import { clockUnitOf } from '#language/clock/clock-use.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { aLayer, aTemplate, aVariable, problemsOf } from '../../fixtures/template-documents.ts';

const variables = [
  aVariable('tier', 'text', 'Gold'),
  aVariable('points', 'number', '7'),
  aVariable('limit', 'number', '5'),
  aVariable('end', 'date', '2026-11-27'),
  aVariable('start', 'date', '2026-11-20T00:00Z'),
  { ...aVariable('none', 'text', ''), whenEmpty: 'empty' },
];
const timeMs = Date.UTC(2026, 10, 23, 9);

function templateOf(layer: Record<string, unknown>): Template {
  const document = aTemplate({ variables, layers: [layer] });
  t.same(problemsOf(document), []);
  return document as unknown as Template;
}

function shows(visibleWhen: unknown): boolean {
  const template = templateOf(aLayer('rect', { visibleWhen }));
  const values = new Map(template.variables.map((each) => [each.name, defaultText(each)]));
  return resolveLayers(template, values, { timeMs }).layers.length === 1;
}

t.test('conditions are joined by all, any and not', (t) => {
  const yes = { variable: 'tier', equals: 'Gold' };
  const no = { variable: 'tier', equals: 'Silver' };
  t.ok(shows({ all: [yes, { variable: 'points', greaterThan: 5 }] }));
  t.notOk(shows({ all: [yes, no] }));
  t.ok(shows({ any: [no, yes] }));
  t.notOk(shows({ any: [no, no] }));
  t.ok(shows({ not: no }));
  t.ok(shows({ not: { all: [yes, no] } }));
  t.ok(shows([yes, { any: [no, { not: no }] }]));
  t.end();
});

t.test('two variables are compared', (t) => {
  t.ok(shows({ variable: 'points', greaterThan: '{{limit}}' }));
  t.notOk(shows({ variable: 'points', lessThan: '{{limit}}' }));
  t.ok(shows({ variable: 'end', greaterThan: '{{start}}' }));
  t.notOk(shows({ variable: 'points', equals: '{{limit}}' }));
  t.end();
});

t.test('letters are compared without case where asked', (t) => {
  t.notOk(shows({ variable: 'tier', equals: 'GOLD' }));
  t.ok(shows({ variable: 'tier', equals: 'gold', ignoreCase: true }));
  t.notOk(shows({ variable: 'tier', notEquals: 'gold', ignoreCase: true }));
  t.ok(shows({ variable: 'tier', oneOf: ['silver', 'GOLD'], ignoreCase: true }));
  t.end();
});

t.test('dates are compared as moments, with the time of the render too', (t) => {
  t.ok(shows({ variable: 'end', equals: '27 Nov 2026' }));
  t.ok(shows({ variable: 'end', lessThan: '2026-11-27T00:30+00:00' }));
  t.notOk(shows({ variable: 'end', lessThan: '2026-11-27T00:30+01:00' }));
  t.ok(shows({ variable: 'end', greaterThan: 'now' }));
  t.ok(shows({ variable: 'start', lessThan: 'today' }));
  t.notOk(shows({ variable: 'none', lessThan: 5 }));
  t.end();
});

t.test('a template needs a clock if a condition asks for the time', (t) => {
  const unitOf = (visibleWhen: unknown): unknown =>
    clockUnitOf(templateOf(aLayer('text', { spans: [{ text: 'x', visibleWhen }] })));
  t.equal(unitOf({ any: [{ variable: 'end', lessThan: 'now' }] }), 'minute');
  t.equal(unitOf({ variable: 'end', greaterThan: 'today' }), 'day');
  t.equal(unitOf({ variable: 'end', greaterThan: '2026-01-01' }), undefined);
  t.equal(unitOf({ variable: 'tier', equals: 'now' }), undefined);
  t.end();
});

t.test('a span shows by its condition, with every value again', (t) => {
  const name = (value: string): unknown => ({ variable: 'tier', equals: value });
  const template = templateOf(
    aLayer('text', {
      spans: [
        { text: 'Hi' },
        { text: ' {{points}}', visibleWhen: { variable: 'points', greaterThan: 5 } },
        { text: '!', visibleWhen: name('Gold') },
      ],
    }),
  );
  const spansWith = (tier: string, points: string): unknown => {
    const values = new Map([
      ['tier', tier],
      ['points', points],
    ]);
    const [layer] = resolveLayers(template, values).layers;
    return layer?.type === 'text' && layer.spans?.map((span) => span.text).join('');
  };
  t.equal(spansWith('Gold', '7'), 'Hi 7!');
  t.equal(spansWith('Silver', '7'), 'Hi 7');
  t.equal(spansWith('Silver', '3'), 'Hi');
  t.equal(spansWith('Gold', '3'), 'Hi!');
  const hidden = templateOf(aLayer('text', { spans: [{ text: 'x', visibleWhen: name('Tin') }] }));
  t.match(resolveLayers(hidden, new Map([['tier', 'Gold']])), {
    layers: [{ spans: [{ text: '' }] }],
    invalid: [],
  });
  t.end();
});

t.test('a condition that cannot be compared is refused', (t) => {
  const problems = (visibleWhen: unknown): string[] =>
    problemsOf(aTemplate({ variables, layers: [aLayer('rect', { visibleWhen })] }));
  t.match(problems({ any: [{ variable: 'nobody', set: true }] }), [
    /layers\[0\]\.visibleWhen\.any\[0\] names "nobody", but the template has no variable/,
  ]);
  t.match(problems({ variable: 'points', greaterThan: 'now' }), [
    /visibleWhen\.greaterThan is "now", expected a number: "points" is of the type number/,
  ]);
  t.match(problems({ variable: 'end', lessThan: 5 }), [
    /visibleWhen\.lessThan is 5, expected now, today or a date such as/,
  ]);
  t.match(problems({ variable: 'end', lessThan: '03/04/2026' }), [/expected now, today or a date/]);
  t.match(problems({ any: [] }), [/visibleWhen\.any .*expected a list of 1 to 8 conditions/]);
  t.match(problems({ some: [] }), [/visibleWhen/]);
  t.end();
});
