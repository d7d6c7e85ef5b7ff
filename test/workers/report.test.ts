import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { OrganizationFontFamily } from '#wire/render-job.ts';
import { hasForeignObject } from '#language/check/svg-markup.ts';
import { createImageLoader } from '../../src/images/load-images.ts';
import {
  decodePixels,
  renderTemplate,
  svgFontConfigFile,
  validTemplate,
} from '../helpers/render.ts';

const regular = { weight: 400, italic: false, axes: {} };
const base = { format: 1, name: 'x', width: 200, height: 100, variables: [] };
const text = {
  type: 'text',
  x: 0,
  y: 0,
  width: 200,
  height: 100,
  fontFamily: 'Inter',
  fontSize: 20,
};

const reportOf = async (layers: unknown[], background = '#ffffff') => {
  const outcome = await renderTemplate(validTemplate({ ...base, background, layers }), {
    wantsReport: true,
  });
  return { layers: outcome.report ?? [], warnings: outcome.warnings };
};

t.test('a render tells of its layers only when it is asked', async (t) => {
  const outcome = await renderTemplate(validTemplate({ ...base, layers: [] }));
  t.equal(outcome.report, undefined);
});

t.test('layers of a group follow it, at their positions on the canvas', async (t) => {
  const inner = { ...text, id: 'inner', x: 5, y: 5, width: 50, height: 20, text: 'hi' };
  const group = { id: 'group', type: 'group', x: 10, y: 20, width: 100, height: 50, rotation: 30 };
  const { layers } = await reportOf([{ ...group, layers: [inner] }]);
  t.match(layers[0], { id: 'group', box: { x: 10, y: 20, rotation: 30 } });
  t.match(layers[1], { id: 'inner', group: 'group', box: { x: 15, y: 25, width: 50, height: 20 } });
  t.ok((layers[1]?.text?.lines[0]?.x ?? 0) >= 15);
});

t.test('a text that was shrunk tells its size and its lines', async (t) => {
  const long = { ...text, id: 'long', height: 30, text: 'words '.repeat(20), overflow: 'shrink' };
  const { layers } = await reportOf([long]);
  const reported = layers[0]?.text;
  t.ok(reported !== undefined && reported.fontSize < 20 && reported.fontSize >= 10);
  t.equal(reported?.overflow === 'none', reported?.cut === undefined);
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
});

t.test('a layer that cannot be drawn is reported with its warning', async (t) => {
  const image = { id: 'gone', type: 'image', x: 0, y: 0, width: 9, height: 9, src: 'asset:x' };
  const { layers } = await reportOf([image]);
  t.match(layers[0], { id: 'gone', warnings: [{ code: 'IMAGE_FAILED' }] });
});

t.test('a layer of a group is drawn alone as it stands in the group', async (t) => {
  const square = { type: 'rect', width: 50, height: 50, fill: '#ff0000' };
  const template = validTemplate({
    ...base,
    background: '#00ff00',
    layers: [
      {
        id: 'group',
        type: 'group',
        x: 50,
        y: 0,
        width: 150,
        height: 100,
        opacity: 0.5,
        layers: [
          { ...square, id: 'one', x: 0, y: 0 },
          { ...square, id: 'two', x: 50, y: 0 },
        ],
      },
    ],
  });
  const { bytes } = await renderTemplate(template, { layers: ['two'] });
  const { data, width } = await decodePixels(bytes);
  const at = (x: number): number[] => [
    ...data.subarray((10 * width + x) * 4, (10 * width + x) * 4 + 4),
  ];
  t.same(at(10), [0, 0, 0, 0], 'no ground');
  t.same(at(60), [0, 0, 0, 0], 'not its sibling');
  t.match(at(110).slice(0, 3), [255, 0, 0]);
  t.ok(Math.abs((at(110)[3] ?? 0) - 128) <= 1, 'the opacity of the group');
});

t.test('no template reaches a family by the name that the processes have for it', async (t) => {
  const path = new URL('../../data/fonts/InterVariable.ttf', import.meta.url).pathname;
  const digest = hash('sha256', readFileSync(path));
  const file = { path, digest, sizeBytes: 1, weight: 400, italic: false, axes: {} };
  const font: OrganizationFontFamily = { name: 'Mine', alias: 'own-font:secret', files: [file] };
  const draw = (fontFamily: string, fonts: OrganizationFontFamily[]) =>
    renderTemplate(
      validTemplate({ ...base, layers: [{ ...text, id: 'a', text: 'a', fontFamily }] }),
      {
        fonts,
      },
    );
  t.same((await draw('mine', [font])).warnings, []);
  for (const name of ['own-font:secret', 'OWN-FONT:secret', ' own-font:secret', 'Mine']) {
    const { warnings } = await draw(name, []);
    t.match(warnings, [{ code: 'FONT_MISSING' }], name);
  }
});

t.test('a family that the engine cannot read counts as not installed', async (t) => {
  const path = join(t.testdir({ 'no.ttf': 'no font' }), 'no.ttf');
  const file = { path, digest: hash('sha256', 'no font'), sizeBytes: 7, ...regular };
  const fonts = [{ name: 'Gone', alias: 'own-font:gone', files: [file] }];
  const layer = { ...text, id: 'a', text: 'a', fontFamily: 'Gone' };
  const { warnings } = await renderTemplate(validTemplate({ ...base, layers: [layer] }), { fonts });
  t.match(warnings, [{ code: 'FONT_MISSING' }]);
});

t.test('a font file that is missing or damaged is not used', async (t) => {
  const directory = t.testdir({ 'short.ttf': 'a font that was cut' });
  const layer = { ...text, id: 'a', text: 'a', fontFamily: 'Cut' };
  const template = validTemplate({ ...base, layers: [layer] });
  for (const name of ['short.ttf', 'nowhere.ttf']) {
    const digest = hash('sha256', 'a font that was cut off');
    const file = { path: join(directory, name), digest, sizeBytes: 23, ...regular };
    const fonts = [{ name: 'Cut', alias: `own-font:${name}`, files: [file] }];
    await t.rejects(renderTemplate(template, { fonts }), { name: 'FontFileError' });
  }
});

t.test('a text that grows upwards is reported with the box that it fills', async (t) => {
  const grows = { ...text, text: 'One two three', y: 60, width: 60, height: 30, overflow: 'grow' };
  const stacked = { ...grows, id: 'stacked', verticalAlign: 'bottom', x: undefined, y: undefined };
  const { layers } = await reportOf([
    { ...grows, id: 'up', verticalAlign: 'bottom' },
    { ...grows, id: 'down' },
    {
      id: 'stack',
      type: 'stack',
      direction: 'row',
      align: 'end',
      x: 100,
      y: 0,
      width: 80,
      height: 95,
      layers: [JSON.parse(JSON.stringify(stacked))],
    },
  ]);
  const boxes = layers.map(({ id, box }) => [id, box.y, box.height]);
  t.same(boxes, [
    ['up', 18, 72],
    ['down', 60, 72],
    ['stack', 0, 95],
    ['stacked', 23, 72],
  ]);
  const last = layers.map((layer) => layer.text?.lines.at(-1)?.y ?? 0);
  t.equal((last[1] ?? 0) - (last[0] ?? 0), 42, 'its lines stand in that box');
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

t.test('HTML inside an SVG is warned of, because it is not drawn', async (t) => {
  const layer = { id: 'art', type: 'svg', x: 0, y: 0, width: 90, height: 90 };
  const { warnings } = await reportOf([{ ...layer, svg: svg(html) }]);
  t.match(warnings, [{ code: 'SVG_UNSUPPORTED', layer: 'art', detail: /foreignObject/ }]);
  const plain = await reportOf([
    { ...layer, svg: svg(`<!-- ${html} --><rect width="9" height="9"/>`) },
  ]);
  t.same(plain.warnings, []);
});

t.test('HTML inside an SVG file is warned of where the file is drawn', async (t) => {
  const loader = createImageLoader({ svgFontConfigFile, findAsset: () => undefined });
  t.teardown(() => loader.close());
  const requester = { organizationUid: 'test', templateUid: 'test' };
  const { signal } = new AbortController();
  const warningsOf = async (file: Uint8Array): Promise<unknown[]> => {
    const box = { x: 0, y: 0, width: 90, height: 90 };
    const layers = [
      { ...box, id: 'photo', type: 'image', src: 'asset:art' },
      { ...box, id: 'fill', type: 'rect', fill: { image: 'asset:art' } },
    ];
    const template = validTemplate({ ...base, layers });
    const image = await loader.admitFile(file, requester, signal);
    return (await renderTemplate(template, { images: { 'asset:art': image } })).warnings;
  };
  const warning = { code: 'SVG_UNSUPPORTED', detail: /foreignObject/ };
  const expected = [
    { ...warning, layer: 'photo' },
    { ...warning, layer: 'fill' },
  ];
  t.match(await warningsOf(Buffer.from(svg(html))), expected);
  t.match(await warningsOf(Buffer.from(`\uFEFF${svg(html)}`, 'utf16le')), expected, 'UTF-16');
  const commented = svg(`<!-- ${html} --><rect width="9" height="9"/>`);
  t.same(await warningsOf(Buffer.from(commented)), []);
});

t.test('finding HTML takes linear time', (t) => {
  const before = process.cpuUsage();
  hasForeignObject(`<foreignObject ${'<!-- '.repeat(400_000)}`);
  hasForeignObject(`foreignObject ${'<'.repeat(1_000_000)}${'a'.repeat(1_000_000)}`);
  const { user, system } = process.cpuUsage(before);
  t.ok(user + system < 500_000, `${user + system} µs`);
  t.end();
});
