/** What live values do to the documents that bind them. */
import t from 'tap';
import { alternativeText } from '#language/bind/alternative-text.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { aLayer, aTemplate, aVariable, problemsOf } from '../../fixtures/template-documents.ts';

const at = (text: string): number => Date.parse(text);
const friday = { until: '2026-11-27T18:00', zone: 'Europe/Berlin' };

t.test(
  'a layer that counts is the same object at each number, and a group while nothing in it changes',
  (t) => {
    const count = aLayer('text', { id: 'seconds', text: '{{countdown.seconds}}' });
    const card = aLayer('group', { id: 'card', layers: [count] });
    const template = aTemplate({
      variables: [{ name: 'title', type: 'text', value: 'Sale' }],
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
    t.end();
  },
);

t.test('an alt says live values', (t) => {
  const alt = 'until {{countdown.until | time:24}}, {{countdown.days}} days';
  const layers = [aLayer('text', { text: 'x' })];
  const template = aTemplate({ alt, clock: friday, layers }) as unknown as Template;
  const moment = { timeMs: at('2026-11-25T12:00Z') };
  t.equal(alternativeText(template, new Map(), moment), 'until 18:00, 2 days');
  t.end();
});

t.test('no frame of an animation changes what the clock reads', (t) => {
  const document = aTemplate({
    variables: [aVariable('deadline', 'date', ''), aVariable('title', 'text', '')],
    clock: { until: '{{deadline | default:friday 18:00}}' },
    layers: [aLayer('text', { text: '{{title}}' })],
    animation: {
      type: 'values',
      frames: [{ values: { title: 'A', deadline: '2026-12-24' }, seconds: 1 }],
    },
  });
  t.match(problemsOf(document), [/animation\.frames\[0\]\.values\.deadline is read by the clock/]);
  t.end();
});
