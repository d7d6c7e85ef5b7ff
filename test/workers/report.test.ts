import { hash } from 'node:crypto';
import { join } from 'node:path';
import t from 'tap';
import type { OrganizationFontFamily } from '#wire/render-job.ts';
import { hasForeignObject } from '#language/check/svg-markup.ts';
import { aLayer, aTemplate } from '../fixtures/template-documents.ts';
import { createImageLoader } from '../../src/images/load-images.ts';
import {
  drawnPixels,
  organizationFont,
  renderTemplate,
  repository,
  svgFontConfigFile,
  validTemplate,
  type RenderOptions,
} from '../helpers/render.ts';

const text = aLayer('text', { width: 200, height: 100, fontFamily: 'Inter', fontSize: 20 });

const draw = (layers: unknown[], options?: RenderOptions) =>
  renderTemplate(validTemplate(aTemplate({ width: 200, layers })), options);

const reportOf = async (layers: unknown[]) => {
  const { report, warnings } = await draw(layers, { wantsReport: true });
  return { layers: report ?? [], warnings };
};

t.test('layers of a group follow it, at their positions on the canvas', async (t) => {
  const inner = { ...text, id: 'inner', x: 5, y: 5, width: 50, height: 20, text: 'hi' };
  const group = { x: 10, y: 20, width: 100, height: 50, rotation: 30, layers: [inner] };
  const { layers } = await reportOf([aLayer('group', { id: 'group', ...group })]);
  t.match(layers[0], { id: 'group', box: { x: 10, y: 20, rotation: 30 } });
  t.match(layers[1], { id: 'inner', group: 'group', box: { x: 15, y: 25, width: 50, height: 20 } });
  t.ok((layers[1]?.text?.lines[0]?.x ?? 0) >= 15);
});

t.test('characters that no font has are named', async (t) => {
  const { layers } = await reportOf([{ ...text, id: 'odd', text: 'a \uA000 b' }]);
  t.same(layers[0]?.text?.missingGlyphs, ['\uA000']);
});

t.test('the families that draw what the first one lacks are named in their order', async (t) => {
  const mixed = { ...text, fontFamily: ['Caveat', 'Fraunces'], text: 'Hi \u2060สวัสดี Ελλάδα مرحبا' };
  const { layers } = await reportOf([
    { ...mixed, id: 'mixed' },
    { ...text, id: 'plain', text: 'Hi' },
  ]);
  t.same(layers[0]?.text?.fallbackFonts, ['Inter', 'Noto Sans Arabic', 'Noto Sans Thai']);
  t.equal(layers[1]?.text?.fallbackFonts, undefined);
  t.equal((await draw([])).report, undefined, 'a job that asks for no report has none');
});

t.test('a layer that cannot be drawn is reported with its warning', async (t) => {
  const { layers } = await reportOf([aLayer('image', { id: 'gone', src: 'asset:x' })]);
  t.match(layers[0], { id: 'gone', warnings: [{ code: 'IMAGE_FAILED' }] });
});

t.test('a layer of a group is drawn alone as it stands in the group', async (t) => {
  const square = { width: 50, height: 50, fill: '#ff0000' };
  const layers = [
    aLayer('rect', { ...square, id: 'one' }),
    aLayer('rect', { ...square, id: 'two', x: 50 }),
  ];
  const group = { id: 'group', x: 50, width: 150, height: 100, opacity: 0.5, layers };
  const document = { width: 200, background: '#00ff00', layers: [aLayer('group', group)] };
  const { data, width } = await drawnPixels(aTemplate(document), { layers: ['two'] });
  const at = (x: number): number[] => [
    ...data.subarray((10 * width + x) * 4, (10 * width + x) * 4 + 4),
  ];
  t.same(at(10), [0, 0, 0, 0], 'no ground');
  t.same(at(60), [0, 0, 0, 0], 'not its sibling');
  t.match(at(110).slice(0, 3), [255, 0, 0]);
  t.ok(Math.abs((at(110)[3] ?? 0) - 128) <= 1, 'the opacity of the group');
});

t.test('no template reaches a family by the name that the processes have for it', async (t) => {
  const path = join(repository, 'data/fonts/InterVariable.ttf');
  const font = { ...organizationFont('Mine', path), alias: 'own-font:secret' };
  const drawIn = (fontFamily: string, fonts: OrganizationFontFamily[]) =>
    draw([{ ...text, text: 'a', fontFamily }], { fonts });
  t.same((await drawIn('mine', [font])).warnings, []);
  for (const name of ['own-font:secret', 'OWN-FONT:secret', ' own-font:secret', 'Mine']) {
    const { warnings } = await drawIn(name, []);
    t.match(warnings, [{ code: 'FONT_MISSING' }], name);
  }
});

t.test('a family that the engine cannot read counts as not installed', async (t) => {
  const path = join(t.testdir({ 'no.ttf': 'no font' }), 'no.ttf');
  const fonts = [organizationFont('Gone', path)];
  const { warnings } = await draw([{ ...text, text: 'a', fontFamily: 'Gone' }], { fonts });
  t.match(warnings, [{ code: 'FONT_MISSING' }]);
});

t.test('a font file that is missing or damaged is not used', async (t) => {
  const directory = t.testdir({ 'short.ttf': 'a font that was cut' });
  const whole = { digest: hash('sha256', 'a font that was cut off'), sizeBytes: 23, axes: {} };
  for (const name of ['short.ttf', 'nowhere.ttf']) {
    const file = { path: join(directory, name), ...whole, weight: 400, italic: false };
    const fonts = [{ name: 'Cut', alias: `own-font:${name}`, files: [file] }];
    const drawing = draw([{ ...text, text: 'a', fontFamily: 'Cut' }], { fonts });
    await t.rejects(drawing, { name: 'FontFileError' });
  }
});

t.test('lines are reported in logical order, with their spaces', async (t) => {
  const words = 'שלום, הזמינו ב-25.12.2024 👍 👍 ok 👍';
  const { layers } = await reportOf([{ ...text, id: 'a', text: words, overflow: 'grow' }]);
  const lines = layers[0]?.text?.lines ?? [];
  t.ok(lines.length > 1);
  t.equal(lines.map((line) => line.text).join(' '), words);
  const cut = await reportOf([
    { ...text, id: 'a', text: 'One two three', width: 75, maxLines: 1, overflow: 'ellipsis' },
  ]);
  t.equal(cut.layers[0]?.text?.lines[0]?.text, 'One t…');
});

const svg = (inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`;
const html =
  '<foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>';
const commented = svg(`<!-- ${html} --><rect width="9" height="9"/>`);

t.test('HTML inside an SVG is warned of, because it is not drawn', async (t) => {
  const { warnings } = await draw([aLayer('svg', { svg: svg(html) })]);
  t.match(warnings, [{ code: 'SVG_UNSUPPORTED', layer: 'a', detail: /foreignObject/ }]);
  t.same((await draw([aLayer('svg', { svg: commented })])).warnings, []);
});

t.test('HTML inside an SVG file is warned of where the file is drawn', async (t) => {
  const loader = createImageLoader({ svgFontConfigFile, findAsset: () => undefined });
  t.teardown(() => loader.close());
  const requester = { organizationUid: 'test', templateUid: 'test' };
  const { signal } = new AbortController();
  const warningsOf = async (file: Uint8Array): Promise<unknown[]> => {
    const layers = [
      aLayer('image', { id: 'photo', src: 'asset:art' }),
      aLayer('rect', { id: 'fill', fill: { image: 'asset:art' } }),
    ];
    const image = await loader.admitFile(file, requester, signal);
    return (await draw(layers, { images: { 'asset:art': image } })).warnings;
  };
  const warning = { code: 'SVG_UNSUPPORTED', detail: /foreignObject/ };
  const expected = [
    { ...warning, layer: 'photo' },
    { ...warning, layer: 'fill' },
  ];
  t.match(await warningsOf(Buffer.from(svg(html))), expected);
  t.match(await warningsOf(Buffer.from(`\uFEFF${svg(html)}`, 'utf16le')), expected, 'UTF-16');
  t.same(await warningsOf(Buffer.from(commented)), []);
});

t.test('finding HTML takes linear time', async (t) => {
  const before = process.cpuUsage();
  hasForeignObject(`<foreignObject ${'<!-- '.repeat(400_000)}`);
  hasForeignObject(`foreignObject ${'<'.repeat(1_000_000)}${'a'.repeat(1_000_000)}`);
  const { user, system } = process.cpuUsage(before);
  t.ok(user + system < 500_000, `${user + system} µs`);
});
