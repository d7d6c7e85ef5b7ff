/** Layers that are pasted into another template are drawn there with the uploaded image and font of the first. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const lobster = readFileSync(
  fileURLToPath(
    import.meta.resolve('@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf'),
  ),
);
const photo = { width: 80, height: 60, channels: 3, background: '#b4552d' } as const;
const box = { type: 'text', x: 20, y: 200, width: 360, height: 80, fontSize: 48 };

t.test('uploads of pasted layers', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const { keyboard } = page;

  t.test('an image and a font come along', async (t) => {
    const { id } = await client.uploadFont(new Uint8Array(lobster), { family: 'Pasted Letters' });
    const from = await openCanvas(page, base, 'assets-from', []);
    const start = page.getByRole('group', { name: 'Begin with' });
    await start.getByLabel('Upload image: choose files').setInputFiles({
      name: 'Beach.png',
      mimeType: 'image/png',
      buffer: await sharp({ create: photo }).png().toBuffer(),
    });
    await page.getByRole('treeitem', { name: 'Beach' }).waitFor();
    const uploaded = await from.find('image');
    const words = { ...box, id: 'words', text: 'Regatta', fontFamily: 'Pasted Letters' };
    await openCanvas(page, base, 'assets-both', [uploaded, words]);
    await page.locator('.canvas-window').focus();
    await keyboard.press('Control+a');
    await keyboard.press('Control+c');

    const target = await openCanvas(page, base, 'assets-to', []);
    await target.focus();
    await keyboard.press('Control+v');
    const pasted = await target.find('image');
    t.match(pasted, { src: /^asset:/ });
    t.equal(pasted['src'], uploaded['src']);
    t.match(await target.find('words'), { fontFamily: 'Pasted Letters' });
    const [x, y] = [Number(pasted['x']) + 40, Number(pasted['y']) + 30];
    t.equal(await target.colorOnceAt({ x, y }, '#b4552d'), '#b4552d', 'the image is drawn');
    const [first, second] = await Promise.all(
      ['assets-both', 'assets-to'].map(async (uid) => pixelsOf(uid)),
    );
    t.ok(first?.equals(second ?? Buffer.of()), 'as in the first template, to the pixel');
    const inter = await pixelsOf('assets-to', 'Inter');
    t.notOk(inter.equals(second ?? Buffer.of()), 'in other letters than without the font');
    t.same(complaints.splice(0), []);
    // Other files share the organization. A font in use cannot be deleted.
    for (const uid of ['assets-both', 'assets-to']) {
      const template = await client.getTemplateDocument(uid);
      await client.updateTemplate(uid, { ...template, layers: [] });
    }
    await client.deleteFont(id);
  });

  /** Pixels of a draft, with another font if one is given. */
  async function pixelsOf(uid: string, fontFamily?: string): Promise<Buffer> {
    const template = await client.getTemplateDocument(uid);
    const layers = template.layers.map((layer) =>
      layer.type === 'text' && fontFamily !== undefined ? { ...layer, fontFamily } : layer,
    );
    const { bytes } = await client.preview({ template: { ...template, layers } });
    return sharp(bytes).raw().toBuffer();
  }
});
