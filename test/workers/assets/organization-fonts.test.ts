import { copyFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { aLayer, aTemplate } from '../../fixtures/template-documents.ts';
import {
  drawnPixels,
  organizationFont,
  renderTemplate,
  validTemplate,
} from '../../helpers/render.ts';

const lobster = '@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf';
const path = join(t.testdir(), 'large.ttf');
copyFileSync(fileURLToPath(import.meta.resolve(lobster)), path);
// As large as a font may be: a render host has memory for six. Nothing reads what is behind the font's tables.
truncateSync(path, 20 * 1024 * 1024);
const family = organizationFont('Brand', path);

t.test('a process without memory for fonts drops its fonts, and draws on alike', async (t) => {
  const text = { width: 200, height: 60, fontSize: 40, text: 'Brand', fontFamily: 'Brand' };
  const document = aTemplate({ width: 200, height: 60, layers: [aLayer('text', text)] });
  const images: Buffer[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a', 'g', 'b']) {
    const fonts = [{ ...family, alias: `own-font:${name}` }];
    images.push((await drawnPixels(document, { fonts })).data);
  }
  for (const image of images) t.ok(image.equals(images[0] ?? Buffer.of()));
  const { warnings } = await renderTemplate(validTemplate(document));
  t.match(warnings, [{ code: 'FONT_MISSING' }]);
  t.notOk((await drawnPixels(document)).data.equals(images[0] ?? Buffer.of()));
});
