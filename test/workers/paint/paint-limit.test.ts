/** Documents that paint for seconds are refused before anything is painted, by the values and scale of the request. */
import { join } from 'node:path';
import t from 'tap';
import { templateLimits } from '#language/limits/template-limits.ts';
import { alternatingPath, closedShapes, repeatedPath } from '../../fixtures/hostile-paths.ts';
import { aLayer, aTemplate, aVariable } from '../../fixtures/template-documents.ts';
import { organizationFont, renderTemplate, validTemplate, valuesOf } from '../../helpers/render.ts';
import type { RenderOptions } from '../../helpers/render.ts';
import { readSample } from '../../../bench/harness/sample-job.ts';
import { bindScene } from '../../../workers/bind-scene.ts';
import { layoutScene } from '../../../workers/layout/layout.ts';
import { requireAffordable } from '../../../workers/paint/cost/limit.ts';
import { endWork, startWork } from '../../../workers/work-limit.ts';

const canvas = { width: 4096, height: 4096 };
const banner = { width: 1200, height: 630 };

const render = (document: Record<string, unknown>, options?: RenderOptions) =>
  renderTemplate(validTemplate(aTemplate(document)), options);

function rects(count: number, properties: Record<string, unknown>): unknown[] {
  return Array.from({ length: count }, (_, index) =>
    aLayer('rect', { id: `r${index}`, ...canvas, ...properties }),
  );
}

const bound = {
  ...banner,
  variables: [aVariable('b', 'number', '0')],
  layers: rects(20, { width: 300, height: 200, blur: '{{b}}' }),
};

t.test('the largest sample is affordable at scale 3', async (t) => {
  const { template } = readSample('product-card');
  const { displayList } = layoutScene(bindScene(template, valuesOf(template)), new Map());
  startWork();
  t.doesNotThrow(() => requireAffordable(displayList, 3));
  endWork();
});

t.test('effects and fills of many large layers are too expensive', async (t) => {
  const expensive: [title: string, layers: unknown[]][] = [
    ['blurs', rects(30, { blur: 20 })],
    ['shadows', rects(10, { shadow: Array(4).fill({ color: '#000' }) })],
    ['fills', rects(400, { fill: '#123' })],
  ];
  for (const [title, layers] of expensive) {
    await t.rejects(render({ ...canvas, layers }), { name: 'TooExpensiveError' }, title);
  }
});

t.test('a value and a scale are priced as they are asked for', async (t) => {
  t.ok((await render(bound)).ok);
  const most = { values: { b: '200' }, scale: 3 } as const;
  await t.rejects(render(bound, most), { name: 'TooExpensiveError' });
});

t.test('fifty cards with shadows are drawn', async (t) => {
  const shadow = { blur: 20, color: '#000' };
  const layers = rects(50, { width: 300, height: 60, shadow });
  t.ok((await render({ ...banner, layers })).ok);
});

t.test('a clip of shapes along each other is priced by pairs of its segments', async (t) => {
  const draw = (path: string) =>
    render({ layers: [aLayer('rect', { fill: '#123', clip: { shape: 'path', path } })] });
  for (const path of [alternatingPath, ...closedShapes.map((each) => repeatedPath(each, 64, 0))])
    await t.rejects(draw(path), { name: 'TooExpensiveError' }, path.slice(0, 60));
  t.ok((await draw(repeatedPath('h1v1h-1z', 500, 1))).ok, 'squares side by side');
  t.ok((await draw(repeatedPath(closedShapes[3], 24, 9))).ok, 'a chain of circles');
});

/** 1,820 bytes: `a` and `b` together are a glyph of 30 components with 200 points each. */
const heavyFont = join(import.meta.dirname, '../../fixtures/hostile/heavy-ligature.ttf');

t.test('a ligature of an organization’s font is priced by its outline', async (t) => {
  const fonts = [organizationFont('Heavy', heavyFont)];
  const draw = (text: string, properties: Record<string, unknown>) => {
    const layer = aLayer('text', { ...banner, fontFamily: 'Heavy', text, ...properties });
    return render({ ...banner, layers: [layer] }, { fonts });
  };
  const stroke = { color: '#f00', width: 3 };
  for (const [text, properties] of [
    ['ab'.repeat(100), { fontSize: 300 }],
    ['ab'.repeat(50), { fontSize: 300, stroke }],
    ['ab'.repeat(900), { fontSize: 20 }],
  ] as const) {
    await t.rejects(draw(text, properties), { name: 'TooExpensiveError', layer: /./ });
  }
  t.ok((await draw('a b '.repeat(20), { fontSize: 300, stroke })).ok, 'the letters themselves');
  t.ok((await draw('ab', { fontSize: 40 })).ok, 'one ligature');
});

t.test('letters that are drawn from outlines are priced wherever they lie', async (t) => {
  const draw = (text: string) => {
    const stroke = { color: '#f00', width: 4 };
    const layer = aLayer('text', { ...banner, fontSize: 5, text, stroke });
    return render({ width: 2, height: 555, layers: [layer] });
  };
  await t.rejects(draw('\uFDFD'.repeat(1700)), { name: 'TooExpensiveError', layer: /./ });
  t.ok((await draw('السلام عليكم '.repeat(100))).ok, 'words');
});

t.test('a render whose time is used up says so, without a time that is left', async (t) => {
  const { displayList } = layoutScene(
    bindScene(validTemplate(aTemplate(bound)), new Map()),
    new Map(),
  );
  startWork({ spentMs: templateLimits.renderMsMax + 500 });
  t.throws(() => requireAffordable(displayList, 1), {
    message: `takes more than ${templateLimits.renderMsMax} ms of processor time to draw`,
  });
  endWork();
});
