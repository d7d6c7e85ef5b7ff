/** What is kept of a PNG in bands is counted. */
import sharp from 'sharp';
import fc from 'fast-check';
import t from 'tap';
import type { PngColorType } from '../../../workers/encode/png/colors.ts';
import { createPngImage } from '../../../workers/encode/png/image.ts';
import { bytesOf, encodeBands, encodeSmallest } from '../../../workers/encode/png/pixels.ts';
import { repository } from '../../helpers/render.ts';

t.test('an image counts the forms that its files may need', async (t) => {
  const forms: PngColorType[] = ['palette', 'rgb', 'rgba'];
  const photo = await sharp(`${repository}/data/templates/pictures/coast.jpg`)
    .resize(200, 120, { fit: 'fill' })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const random = fc.sample(fc.array(fc.nat(0xff_ff_ff), { minLength: 200, maxLength: 200 }), 1);
  const colors = random[0] ?? [];
  const indices = fc.sample(fc.uint8Array({ minLength: 65_536, maxLength: 65_536 }), 1)[0];
  const noise = Uint32Array.from(
    indices ?? [],
    (index) => 0xff00_0000 | (colors[index % 200] ?? 0),
  );
  const flat = new Uint32Array(65_536).fill(0xff20_3040);
  for (const { data, widthPx, heightPx } of [
    { data: new Uint8Array(photo), widthPx: 200, heightPx: 120 },
    { data: new Uint8Array(noise.buffer), widthPx: 256, heightPx: 256 },
    { data: new Uint8Array(flat.buffer), widthPx: 256, heightPx: 256 },
  ]) {
    const { rows, image: encoded } = encodeSmallest({ data: data.slice(), widthPx, heightPx });
    const wider = forms.slice(forms.indexOf(encoded.form) + 1);
    const held = wider.reduce(
      (sum, form) => sum + bytesOf(encodeBands(rows, form)),
      rows.data.length + bytesOf(encoded),
    );
    const { sizeBytes } = createPngImage({ data, widthPx, heightPx });
    t.ok(sizeBytes >= held, `${encoded.form}: ${sizeBytes} counted, ${held} held`);
  }
});
