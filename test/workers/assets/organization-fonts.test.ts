import { hash } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { OrganizationFontFamily } from '#wire/render-job.ts';
import { decodePixels, renderTemplate, validTemplate } from '../../helpers/render.ts';

const lobster = readFileSync(
  fileURLToPath(
    import.meta.resolve('@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf'),
  ),
);
const path = join(t.testdir(), 'large.ttf');
writeFileSync(path, lobster);
// As large as a font may be: a render process has memory for six. Nothing reads what is behind the font's tables.
const sizeBytes = 20 * 1024 * 1024;
truncateSync(path, sizeBytes);
const digest = hash('sha256', readFileSync(path));
const family = (alias: string): OrganizationFontFamily => {
  const files = [{ path, digest, sizeBytes, weight: 400, italic: false, axes: {} }];
  return { name: 'Brand', alias: `own-font:${alias}`, files };
};

t.test(
  'a render process without memory for fonts drops its fonts, and draws on with them alike',
  async (t) => {
    const box = { x: 0, y: 0, width: 200, height: 60, fontSize: 40 };
    const layer = { id: 'a', type: 'text', text: 'Brand', fontFamily: 'Brand', ...box };
    const whole = { format: 1, name: 'x', width: 200, height: 60, variables: [], layers: [layer] };
    const template = validTemplate(whole);
    const images: Buffer[] = [];
    for (const alias of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a', 'g', 'b']) {
      const { bytes, warnings } = await renderTemplate(template, { fonts: [family(alias)] });
      t.same(warnings, []);
      images.push((await decodePixels(bytes)).data);
    }
    for (const image of images) t.ok(image.equals(images[0] ?? Buffer.of()));
    const plain = await renderTemplate(template);
    t.match(plain.warnings, [{ code: 'FONT_MISSING' }]);
    t.notOk((await decodePixels(plain.bytes)).data.equals(images[0] ?? Buffer.of()));
  },
);
