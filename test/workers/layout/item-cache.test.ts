/** Items of layers that bind nothing are kept, as long as nothing that they depend on changes and there is memory. */
import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { DisplayItem } from '../../../workers/display-list.ts';
import { anItem } from '../../fixtures/display-items.ts';
import { aLayer, aTemplate, aVariable } from '../../fixtures/template-documents.ts';
import {
  decodePixels,
  organizationFont,
  renderTemplate,
  validTemplate,
} from '../../helpers/render.ts';

const { findItem, keepItem } = await import('../../../workers/layout/item-cache.ts');

const box = { x: 0, y: 0, width: 9, height: 9 };
const here = { x: 3, y: 4, width: 10, height: 10, textScale: 1, organizationFonts: '', lang: 'en' };

function aDrawnLayer(id: string): Layer {
  return { id, type: 'svg', ...box, svg: '<svg/>' };
}

function aDrawing(svg: string): DisplayItem {
  return anItem(box, { kind: 'svg', svg, placed: box });
}

t.test('an item is found for the same object at its position with the same fonts alone', (t) => {
  const layer = aDrawnLayer('a');
  const item = aDrawing('<svg/>');
  keepItem(layer, here, { item, warnings: [], degraded: false });
  t.equal(findItem(layer, here), undefined, 'it may be of one render alone');
  keepItem(layer, here, { item, warnings: [], degraded: false });
  t.equal(findItem(layer, here)?.item, item);
  t.equal(findItem(structuredClone(layer), here), undefined);
  const sizes = [{ x: 5 }, { y: 5 }, { width: 5 }, { height: 5 }, { textScale: 0.5 }];
  const others = [...sizes, { organizationFonts: 'mine,own:1' }, { lang: 'de' }];
  for (const other of others) {
    t.equal(findItem(layer, { ...here, ...other }), undefined);
  }
  t.end();
});

t.test('items that nobody requests are evicted', async (t) => {
  const layers = Array.from({ length: 60 }, (_, index) => aDrawnLayer(`${index}`));
  for (const [index, layer] of layers.entries()) {
    const item = aDrawing(`${index}${'x'.repeat(1024 * 1024)}`);
    for (let time = 0; time < 2; time += 1)
      keepItem(layer, here, { item, warnings: [], degraded: false });
  }
  const kept = layers.filter((layer) => findItem(layer, here) !== undefined);
  t.ok(kept.length > 5 && kept.length <= 32, `${kept.length} of a mebibyte each are kept`);
  t.ok(kept.includes(layers.at(-1) ?? aDrawnLayer('none')));
});

const fontFile = createRequire(import.meta.url).resolve(
  '@expo-google-fonts/caveat/700Bold/Caveat_700Bold.ttf',
);

t.test('a font that could not be read once is drawn with as soon as it can', async (t) => {
  const path = join(t.testdir(), 'own.ttf');
  const text = { x: 10, width: 180, height: 40, fontSize: 30, fontFamily: 'Mine' };
  const template = validTemplate(
    aTemplate({
      width: 200,
      background: '#fff',
      variables: [aVariable('name', 'text', 'Ada')],
      layers: [
        aLayer('text', { ...text, id: 'still', y: 5, text: 'Still words' }),
        aLayer('text', { ...text, id: 'bound', y: 50, text: 'Hi {{name}}' }),
      ],
    }),
  );
  const family = organizationFont('Mine', fontFile);
  const fonts = [{ ...family, files: family.files.map((file) => ({ ...file, path })) }];
  const draw = async (templateKey: string): Promise<{ codes: string[]; data: Buffer }> => {
    const { bytes, warnings } = await renderTemplate(template, { templateKey, fonts });
    const { data } = await decodePixels(bytes);
    return { codes: warnings.map(({ code }) => code), data };
  };
  for (let time = 0; time < 3; time += 1) {
    await t.rejects(draw('known'), { name: 'FontFileError' });
  }
  copyFileSync(fontFile, path);
  const [known, fresh] = [await draw('known'), await draw('fresh')];
  t.same([known.codes, fresh.codes], [[], []]);
  t.ok(known.data.equals(fresh.data));
});
