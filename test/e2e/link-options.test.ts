/** What a link may choose of format, scale and quality: the template's own rule, and encodes that take too long. */
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { sends } from './image-bytes.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import { checkError } from './request.ts';
import { startService } from './service.ts';

const variables = [textVariable('name', 'friend')];
const layers = [textLayer('{{name}}')];
const large = { width: 2500, height: 2000, variables, layers };
/** At scale 2 less than any image may have, and more than WebP by link. */
const wide = { width: 2000, height: 1800, variables, layers };

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('open', { variables, layers });
  publish('none', { variables, layers, linkOptions: [], output: { format: 'jpeg', quality: 70 } });
  publish('scale', { variables, layers, linkOptions: ['scale'] });
  publish('closed-later', { variables, layers });
  publish('closed-later', { variables, layers, linkOptions: [] });
  publish('large', large);
  publish('wide', wide);
  publish('large-avif', { ...large, output: { format: 'avif', quality: 30 } });
  publish('fine-avif', { variables, layers, output: { format: 'avif', quality: 95 } });
  publish('covered', { ...large, onError: 'image' });
});
const noise = await sharp({
  create: {
    width: 900,
    height: 473,
    channels: 3,
    background: '#808080',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
})
  .resize(3600, 1890)
  .jpeg({ quality: 90 })
  .toBuffer();
const origin = await startOrigin({ '/noise.jpg': sends(noise, 'image/jpeg') });
t.teardown(() => origin.close());
const service = await startService(t, { dataDirectory, origins: [origin] });

async function refuses(path: string, message: RegExp): Promise<void> {
  t.match(checkError(t, await service.render(path), 400, 'BAD_REQUEST'), message, path);
}

async function draws(path: string, format: string): Promise<void> {
  const answer = await service.render(path);
  t.equal(answer.status, 200, answer.status === 200 ? path : `${path}: ${answer.text}`);
  t.equal(answer.headers['content-type'], `image/${format}`);
}

t.test('a template forbids options, and the answer names option and rule', async (t) => {
  await refuses('none.png', /_format \(or an extension\).*"linkOptions"/);
  await refuses('none?_format=webp', /_format.*take no options/);
  await refuses('none?_scale=2', /_scale.*"linkOptions"/);
  await refuses('none?_quality=90', /_quality.*"linkOptions"/);
  await refuses('scale.webp', /_format.*take _scale only/);
  await refuses('scale.jpg?_scale=2', /_format/);
  await draws('scale?_scale=3', 'png');
  t.end();
});

t.test('what repeats the template’s word is no option', async () => {
  for (const path of ['none', 'none.jpg', 'none.jpeg?_scale=1', 'none?_quality=70&_format=jpg']) {
    await draws(path, 'jpeg');
  }
  await draws('none.jpg?name=Zoe&_version=1', 'jpeg');
  await draws('scale.png?_quality=3', 'png');
});

t.test('the newest version decides, for older ones too', async () => {
  await refuses('closed-later?_version=1&_scale=2', /_scale/);
  await refuses('closed-later.webp?_version=1', /_format/);
  await draws('closed-later?_version=1', 'png');
});

t.test('a link chooses no encode that takes seconds', async () => {
  const photo = `photo=${encodeURIComponent(origin.url('/noise.jpg'))}`;
  await refuses(
    `welcome-banner.avif?_quality=100&_scale=3&${photo}`,
    /_quality must be at most 80/,
  );
  await refuses(`welcome-banner.avif?_scale=3&${photo}`, /_scale.*AVIF.*4 megapixels.*3600 × 1890/);
  await refuses('open.avif?_quality=81', /at most 80 for AVIF/);
  await refuses('large.avif', /_format or extension must be another one: AVIF.*4 megapixels/);
  await refuses('wide?_format=webp&_scale=2', /_scale.*WebP.*12 megapixels/);
  await draws(`welcome-banner.avif?_quality=80&_scale=2&${photo}`, 'avif');
  await draws('open.avif?_quality=80&_scale=3', 'avif');
  await draws('large.webp', 'webp');
});

t.test('a template chooses more than a link may', async () => {
  await draws('fine-avif', 'avif');
  await draws('fine-avif?_quality=95', 'avif');
  await refuses('fine-avif?_quality=96', /at most 95/);
  await draws('large-avif', 'avif');
  await refuses('large-avif?_quality=31', /4 megapixels/);
});

t.test('an image in place of such an error has a format that the template allows', async () => {
  const answer = await service.render('covered.avif');
  t.equal(answer.status, 200);
  t.equal(answer.headers['x-render-error'], 'BAD_REQUEST');
  t.equal(answer.headers['content-type'], 'image/png');
});

t.test('a preview has the same limits, and no link options', async (t) => {
  const preview = async (body: object): Promise<{ status: number; text: string }> => {
    const headers = { 'X-API-Key': testOrganization.key, 'Content-Type': 'application/json' };
    return service.get('/v1/preview', { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const quality = await preview({ uid: 'open', format: 'avif', quality: 100 });
  t.equal(quality.status, 400);
  t.match(quality.text, /quality.*is 100, expected at most 80 for AVIF/);
  const scale = await preview({ uid: 'large', format: 'avif' });
  t.equal(scale.status, 400);
  t.match(scale.text, /4 megapixels/);
  t.equal((await preview({ uid: 'none', format: 'webp', scale: 2 })).status, 200);
});
