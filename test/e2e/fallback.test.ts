import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { checkSame, plainImage, sends } from './image-bytes.ts';
import {
  fillDataDirectory,
  imageLayer,
  testOrganization,
  textLayer,
  textVariable,
} from './published.ts';
import { checkError } from './request.ts';
import type { Answer } from './request.ts';
import { startService } from './service.ts';

const [red, green] = [await plainImage('#ff0000'), await plainImage('#00ff00')];
const origin = await startOrigin({ '/red.png': sends(red) });
t.teardown(() => origin.close());
const missing = origin.url('/missing.png');

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveAsset }) => {
  const document = (photo: string) => ({
    variables: [
      textVariable('name', 'friend', { maxLength: 20 }),
      { name: 'photo', type: 'image' as const, value: photo },
    ],
    layers: [textLayer('{{name}}', { width: 200 }), imageLayer('{{photo}}')],
  });
  const good = document(saveAsset(green));
  const damaged = document(missing);
  publish('plain', good);
  publish('covered', { ...good, onError: 'image' });
  publish('covered', { ...good, onError: 'image' });
  publish('covered-jpeg', { ...good, onError: 'image', output: { format: 'jpeg' } });
  publish('covered-key', { ...good, onError: 'image', linkAuth: 'key' });
  publish('damaged', damaged);
  publish('damaged-covered', { ...damaged, onError: 'image' });
  publish('damaged-forgiving', { ...damaged, onImageError: 'default' });
  publish('forgiving', { ...good, onImageError: 'default' });
  publish('forgiving-covered', { ...good, onImageError: 'default', onError: 'image' });
  publish('no-image', { ...good, layers: [textLayer('{{name}}', { width: 200 })] });
});
const service = await startService(t, { dataDirectory, origins: [origin] });

function checkShortLived(answer: Answer, cacheControl = 'private, max-age=15'): void {
  t.equal(answer.status, 200, answer.text.slice(0, 200));
  t.equal(answer.headers['cache-control'], cacheControl);
  t.equal(answer.headers.etag, undefined);
  t.equal(answer.headers['x-content-type-options'], 'nosniff');
  t.equal(answer.headers['access-control-allow-origin'], '*');
  t.match(answer.headers['x-request-id'], /^req_/);
}

/** Bad links, each with the good one that shows what can be had of it. */
const troubles = [
  [`name=Zoe&photo=${missing}`, 'name=Zoe'],
  ['name=Zoe&photo=nonsense', 'name=Zoe'],
  [`name=${'x'.repeat(21)}`, `name=${'x'.repeat(20)}`],
  ['name=Zoe&_scale=9', 'name=Zoe'],
  ['name=Zoe&_format=bmp', 'name=Zoe'],
  ['name=Zoe&_quality=0', 'name=Zoe'],
  ['name=Zoe&_version=x', 'name=Zoe'],
] as const;

t.test('an error is JSON unless the template says otherwise', async (t) => {
  for (const [trouble] of troubles) {
    checkError(t, await service.render(`plain?${trouble}`), 400, 'BAD_REQUEST');
  }
});

t.test('with onError: "image" a bad link shows what is good in it', async (t) => {
  for (const [trouble, good] of troubles) {
    const answer = await service.render(`covered?${trouble}`);
    checkShortLived(answer);
    t.equal(answer.headers['x-render-error'], 'BAD_REQUEST', trouble);
    await checkSame(t, answer, await service.render(`plain?${good}`), trouble);
    const headed = await service.render(`covered?${trouble}`, { method: 'HEAD', agent: false });
    t.equal(headed.status, 200);
    // Drawn again, the same pixels may have other bytes.
    t.ok(Number(headed.headers['content-length']) > 100);
    t.equal(headed.headers['x-render-error'], 'BAD_REQUEST');
  }
  const values = await service.render('covered?name=Zoe');
  t.equal(values.headers['x-render-error'], undefined, 'a good link is drawn as ever');
  t.ok(values.headers.etag);
});

t.test('the image in place of an error has the format that was asked for', async (t) => {
  for (const [target, type] of [
    ['covered.jpg', 'image/jpeg'],
    ['covered.webp', 'image/webp'],
    ['covered-jpeg', 'image/jpeg'],
    ['covered-jpeg.png', 'image/png'],
  ] as const) {
    const { headers } = await service.render(`${target}?photo=nonsense`);
    t.equal(headers['content-type'], type, target);
  }
  const byOption = await service.render('covered?_format=webp&photo=nonsense');
  t.equal(byOption.headers['content-type'], 'image/webp', '_format counts as well');
});

t.test('a default whose image fails is drawn without it', async (t) => {
  for (const extension of ['png', 'jpg', 'webp', 'avif']) {
    const answer = await service.render(`damaged-covered.${extension}?name=Zoe`);
    checkShortLived(answer);
    t.equal(answer.headers['x-render-error'], 'BAD_REQUEST');
    const { width, height } = await sharp(answer.body).metadata();
    t.same([width, height], [240, 40], 'it is no card');
  }
  checkError(t, await service.render('damaged'), 400, 'BAD_REQUEST');
});

t.test('no image stands for 401 and 404', async (t) => {
  checkError(t, await service.render('covered-key'), 401, 'UNAUTHORIZED');
  checkError(t, await service.render('covered-key?_scale=9'), 401, 'UNAUTHORIZED');
  checkError(t, await service.render('covered?_version=99'), 404, 'NOT_FOUND');
  checkError(t, await service.render('covered.bmp'), 404, 'NOT_FOUND');
  const headers = { 'X-API-Key': testOrganization.key };
  const withHeaders = await service.render('covered-key?_scale=9', { headers });
  t.equal(withHeaders.status, 200);
  t.equal(withHeaders.headers['x-render-error'], 'BAD_REQUEST');
});

t.test('an image in place of an error is not kept: the right one comes when it can', async (t) => {
  await service.render(`covered?name=Later&photo=${missing}`);
  const { headers } = await service.render(`covered?name=Later&photo=${origin.url('/red.png')}`);
  t.equal(headers['x-render-error'], undefined);
  t.equal(headers['cache-control'], 'public, max-age=300, stale-while-revalidate=86400');
});

t.test('with onImageError: "default" a failed image is the default, with a warning', async (t) => {
  const expected = await service.render('plain?name=Zoe');
  for (const photo of [missing, 'nonsense', 'http://169.254.169.254/', 'ftp://a/b']) {
    for (const uid of ['forgiving', 'forgiving-covered']) {
      const answer = await service.render(`${uid}?name=Zoe&photo=${photo}`);
      checkShortLived(answer, 'public, max-age=15');
      t.ok(answer.headers['x-render-warnings'], photo);
      t.equal(answer.headers['x-render-error'], undefined);
      await checkSame(t, answer, expected, `${uid}: the other values are drawn`);
    }
  }
  const alone = await service.render('damaged-forgiving?name=Zoe');
  checkShortLived(alone, 'public, max-age=15');
  await checkSame(t, alone, await service.render('no-image?name=Zoe'), 'a bad default is left out');
  checkError(t, await service.render(`forgiving?name=${'x'.repeat(21)}`), 400, 'BAD_REQUEST');
});
