import t from 'tap';
import { checkTemplate } from '#language/template.ts';
import type { Template } from '#language/schema/template.ts';
import { fixedValues, fixValue } from '../../src/studio/state/fixed-values.ts';
import { addLayer } from '../../src/studio/panels/layers/add-layers.ts';
import { newLayerKinds } from '../../src/studio/panels/layers/new-layers.ts';
import {
  addVariable,
  freshName,
  newList,
  removeVariable,
  renameVariable,
  usesOf,
  valueAs,
} from '../../src/studio/panels/variables/variables.ts';
import { defaultOf } from '../../src/studio/panels/variables/variable-default.ts';
import { documentOf } from './documents.ts';

const box = { x: 0, y: 0, width: 10, height: 10 };

function bound(): Template {
  const visibleWhen = [
    { variable: 'who', set: true },
    { variable: 'size', greaterThan: 3 },
  ];
  const fill = { gradient: 'linear', stops: [{ offset: 0, color: '{{tone}}' }] };
  const inner = [
    { ...box, id: 'b', type: 'rect', width: '{{size}}', fill, visibleWhen },
    { ...box, id: 'c', type: 'image', src: 'https://example.com/{{who}}.png' },
    { ...box, id: 'd', type: 'svg', svg: '<svg><text>{{who}}</text></svg>' },
  ];
  const text = 'Hi {{ who }}, {{who}}! {{other}}';
  const layers = [
    { ...box, id: 'a', type: 'text', name: '{{who}}', text },
    { ...box, id: 'g', type: 'group', layers: inner },
  ];
  const variables = [
    { name: 'who', type: 'text', value: 'A & B' },
    { name: 'other', type: 'text', value: 'x' },
    { name: 'size', type: 'number', value: '7' },
    { name: 'tone', type: 'color', value: '#ff0000' },
  ];
  return documentOf(layers, { background: '{{tone}}', variables });
}

/** Layers and positions that use a variable. */
function positionsOf(draft: Template, name: string): Array<[string | undefined, string]> {
  return usesOf(draft, name).map(({ id, path }) => [id, path.join('.')]);
}

t.test('renaming a variable rewrites whatever uses it, and nothing else', async (t) => {
  const draft = bound();
  renameVariable(draft, 'who', 'name');
  t.equal(draft.variables[0]?.name, 'name');
  t.same(usesOf(draft, 'who'), []);
  t.match(draft.layers[0], { name: '{{who}}', text: 'Hi {{name}}, {{name}}! {{other}}' });
  t.match(draft.layers[1], {
    layers: [
      { visibleWhen: [{ variable: 'name', set: true }, { variable: 'size' }] },
      { src: 'https://example.com/{{name}}.png' },
      { svg: '<svg><text>{{name}}</text></svg>' },
    ],
  });
});

t.test('the alternative text of a template follows its variables', async (t) => {
  const draft = { ...bound(), alt: 'Hi {{who}}, {{who | upper}}' };
  t.ok(usesOf(draft, 'who').some(({ path }) => path[0] === 'alt'));
  renameVariable(draft, 'who', 'name');
  t.equal(draft.alt, 'Hi {{name}}, {{name | upper}}');
  removeVariable(draft, 'name');
  t.equal(draft.alt, 'Hi A & B, A & B');
});

t.test('the clock and the frames of a template follow its variables', async (t) => {
  const clock = { until: '{{who | default:friday 18:00}}', per: '{{who}}' };
  const frames = [{ values: { who: 'Zoë', size: '9' }, seconds: 1 }];
  const draft = { ...bound(), clock, animation: { type: 'values' as const, frames } };
  const parts = positionsOf(draft, 'who').flatMap(([id, path]) => (id === undefined ? path : []));
  t.same(parts, ['clock.until', 'clock.per']);
  renameVariable(draft, 'who', 'name');
  t.same(draft.clock, { until: '{{name | default:friday 18:00}}', per: '{{name}}' });
  t.same(draft.animation.frames[0]?.values, { name: 'Zoë', size: '9' });
  for (const each of draft.variables) if (each.name === 'name') Object.assign(each, { value: '' });
  removeVariable(draft, 'name');
  t.same(draft.clock, { until: 'friday 18:00' });
  t.same(draft.animation.frames[0]?.values, { size: '9' });
});

t.test('uses are reported with their layer and position', async (t) => {
  t.same(positionsOf(bound(), 'tone'), [
    [undefined, 'background'],
    ['b', 'fill.stops.0.color'],
  ]);
});

t.test('a variable that is deleted leaves its default, in the type of each position', async (t) => {
  const draft = bound();
  for (const { name } of bound().variables) removeVariable(draft, name);
  t.same(draft.variables, []);
  t.equal(draft.background, '#ff0000');
  t.match(draft.layers[0], { text: 'Hi A & B, A & B! x' });
  t.match(draft.layers[1], {
    layers: [
      { width: 7, fill: { stops: [{ color: '#ff0000' }] }, visibleWhen: undefined },
      { src: 'https://example.com/A%20%26%20B.png' },
      { svg: '<svg><text>A &amp; B</text></svg>' },
    ],
  });
  t.notOk(JSON.stringify(draft.layers[1]).includes('{{'));
});

t.test('names of new variables are free, and fit for a link', async (t) => {
  const draft = bound();
  t.equal(freshName(draft, '{{offer}} – now!'), 'offer_now');
  t.equal(freshName(draft, '***'), 'value');
  t.equal(addVariable(draft, 'who', 'text', 'x'), 'who2');
  t.equal(freshName(draft, 'who'), 'who3');
});

t.test('a value as default and back is the same value', async (t) => {
  for (const [type, value] of [
    ['number', 12.5],
    ['boolean', false],
    ['color', '#12345678'],
    ['text', 'Hello'],
  ] as const) {
    const variable = { name: 'v', type, value: defaultOf(type, value) };
    t.equal(fixValue('{{v}}', 'any', fixedValues(documentOf([]), [variable])), value);
  }
  t.equal(defaultOf('color', { stops: [{ color: '#abcdef' }] }), '#abcdef');
  const empty = fixedValues(documentOf([]), [{ name: 'v', type: 'color', value: '' }]);
  t.equal(fixValue('{{v}}', 'fill', empty), undefined, 'an empty colour is left out');
});

t.test('whatever the menu adds is a document that the service takes, twice over', async (t) => {
  for (const [width, height] of [
    [1200, 630],
    [16, 4],
  ] as const) {
    const draft = documentOf([], { width, height });
    const ids = newLayerKinds.flatMap((kind) => [addLayer(draft, kind), addLayer(draft, kind)]);
    t.equal(new Set(ids).size, ids.length);
    const checked = checkTemplate(draft);
    t.same(checked, { ok: true, template: draft }, `${width} × ${height}`);
    const middle = draft.layers.map(({ x, width: layerWidth }) =>
      typeof layerWidth === 'number' ? Math.abs((x ?? 0) + layerWidth / 2 - width / 2) : 0,
    );
    t.ok(Math.max(...middle) <= 2.5, 'in the middle');
  }
});

t.test('a key of a data table is renamed where it is used, or leaves defaults', async (t) => {
  const document = documentOf([], {
    variables: [
      { name: 'id', type: 'text', value: '' },
      { name: 'points', type: 'number', value: '0', from: 'members.{{id}}.points' },
      { name: 'other', type: 'text', value: '', from: 'members.{{ID}}.name' },
    ],
  });
  renameVariable(document, 'id', 'member id');
  t.match(document.variables, [
    { name: 'member id' },
    { from: 'members.{{member id}}.points' },
    { from: 'members.{{ID}}.name' },
  ]);
  removeVariable(document, 'member id');
  t.same(document.variables[0], { name: 'points', type: 'number', value: '0' });
});

t.test('a new text has the colour of the topmost text', async (t) => {
  const draft = documentOf([
    { id: 'low', type: 'text', ...box, text: 'a', fill: '#112233' },
    { id: 'top', type: 'text', ...box, text: 'b', fill: '#ffffff' },
    { id: 'bar', type: 'rect', ...box, fill: '#aa0000' },
  ]);
  addLayer(draft, 'text');
  t.match(draft.layers.at(-1), { type: 'text', fill: '#ffffff' });
});

t.test('a value of another type is the plainest one, and a new list is valid', async (t) => {
  for (const [type, fitting, plainest] of [
    ['number', '-7.5', '0'],
    ['date', '2026-12-24T18:00+01:00', '2026-12-31'],
    ['color', '#FF880080', '#000000'],
    ['boolean', 'false', 'true'],
    ['image', 'https://a.example/b.png', ''],
  ] as const) {
    t.equal(valueAs(type, fitting), fitting);
    t.equal(valueAs(type, 'Tea'), plainest, type);
  }
  t.equal(valueAs('text', 'Tea'), 'Tea');
  t.equal(checkTemplate(documentOf([], { variables: [newList('rows')] })).ok, true);
});
