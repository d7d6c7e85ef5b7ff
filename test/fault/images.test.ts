/** Images that are missing from the database, damaged in it, or break a decoder, with the real processes. */
import { join } from 'node:path';
import t from 'tap';
import { image, plainImage } from '../e2e/image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from '../e2e/published.ts';
import { checkError } from '../e2e/request.ts';
import { eventually, startService } from '../e2e/service.ts';

const [red, green, blue] = await Promise.all(
  ['#ff0000', '#00ff00', '#0000ff'].map((color) => plainImage(color)),
);

/** An image whose header is sound and whose pixels are not. */
function breakPixels(file: Buffer): Buffer {
  const broken = Buffer.from(file);
  const start = broken.indexOf('IDAT') + 4;
  broken.fill(0x5a, start, broken.indexOf('IEND') - 8);
  return broken;
}

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), (shelf) => {
  const { publish, saveAsset, db } = shelf;
  const card = (value: string, changes: object = {}): object => ({
    variables: [textVariable('name', 'friend'), { name: 'photo', type: 'image', value }],
    layers: [textLayer('{{name}}'), imageLayer('{{photo}}')],
    ...changes,
  });
  const [missing, damaged, sound] = [red, green, blue].map((file) =>
    saveAsset(file ?? Buffer.of()),
  );
  const unreadable = saveAsset(breakPixels(red ?? Buffer.of()));
  publish('missing', card(missing ?? ''));
  publish('missing-default', card(missing ?? '', { onImageError: 'default' }));
  publish('missing-image', card(missing ?? '', { onError: 'image' }));
  publish('damaged', card(damaged ?? ''));
  publish('unreadable', card(unreadable));
  publish('sound', card(sound ?? ''));
  const digestOf = (id = ''): string => id.replace('asset:', '');
  db.prepare('DELETE FROM assets WHERE digest = ?').run(digestOf(missing));
  db.prepare('UPDATE assets SET bytes = zeroblob(length(bytes)) WHERE digest = ?').run(
    digestOf(damaged),
  );
});
const service = await startService(t, { dataDirectory });

t.test('an asset that is gone is answered as the template says', async (t) => {
  const refused = await service.render('missing');
  t.match(checkError(t, refused, 400, 'BAD_REQUEST'), /image of "photo" names an asset/);
  const degraded = await service.render('missing-default?name=A');
  t.equal(degraded.status, 200);
  t.match(degraded.headers['x-render-warnings'], /^IMAGE_FAILED/);
  t.equal(degraded.headers['cache-control'], 'public, max-age=15');
  const covered = await service.render('missing-image');
  t.equal(covered.status, 200);
  t.equal(covered.headers['x-render-error'], 'BAD_REQUEST');
  await image(t, covered);
});

t.test('an asset whose bytes have changed on the disk is never drawn', async (t) => {
  const answer = await service.render('damaged');
  checkError(t, answer, 500, 'INTERNAL');
  // The log may arrive after the answer.
  const isLogged = (): boolean =>
    service.process.stderr.includes('is damaged in the database: restore the newest backup');
  t.ok(await eventually(isLogged), service.process.stderr);
});

t.test('an error in a native decoder is an answer about that image', async (t) => {
  const answer = await service.render('unreadable');
  t.match(checkError(t, answer, 400, 'BAD_REQUEST'), /image of "photo"/);
});

t.test('none of it harms the templates beside', async (t) => {
  const answer = await service.render('sound?name=after');
  t.equal(answer.status, 200);
  await image(t, answer);
  t.equal((await service.get('/readyz')).status, 200);
});
