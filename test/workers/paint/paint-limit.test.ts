/** Documents that paint for seconds are refused before anything is painted, by the values and scale of the request. */
import t from 'tap';
import type { Template } from '#shared/template-schema.ts';
import { aLayer, aTemplate, aVariable } from '../../fixtures/template-documents.ts';
import { renderTemplate, validTemplate } from '../../helpers/render.ts';

const canvas = { width: 4096, height: 4096 };

function rects(count: number, properties: Record<string, unknown>): unknown[] {
  return Array.from({ length: count }, (_, index) =>
    aLayer('rect', { id: `r${index}`, width: 4096, height: 4096, ...properties }),
  );
}

const bound: Template = validTemplate(
  aTemplate({
    width: 1200,
    height: 630,
    variables: [aVariable('b', 'number', '0')],
    layers: rects(20, { width: 300, height: 200, blur: '{{b}}' }),
  }),
);

t.test('effects and fills of many large layers are too expensive', async (t) => {
  const expensive: [title: string, layers: unknown[]][] = [
    ['blurs', rects(30, { blur: 20 })],
    ['shadows', rects(10, { shadow: Array(4).fill({ color: '#000' }) })],
    ['fills', rects(400, { fill: '#123' })],
  ];
  for (const [title, layers] of expensive) {
    const template = validTemplate(aTemplate({ ...canvas, layers }));
    await t.rejects(renderTemplate(template), { name: 'TooExpensiveError' }, title);
  }
});

t.test('a value and a scale are priced as they are asked for', async (t) => {
  t.ok((await renderTemplate(bound)).ok);
  const most = { values: { b: '200' }, scale: 3 } as const;
  await t.rejects(renderTemplate(bound, most), { name: 'TooExpensiveError' });
});

t.test('fifty cards with shadows are drawn', async (t) => {
  const shadow = { blur: 20, color: '#000' };
  const layers = rects(50, { width: 300, height: 60, shadow });
  const template = validTemplate(aTemplate({ width: 1200, height: 630, layers }));
  t.ok((await renderTemplate(template)).ok);
});
