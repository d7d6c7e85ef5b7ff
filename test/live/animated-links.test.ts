/** Links and previews of moving images on a started service. */
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { readApng } from '../helpers/apng-reader.ts';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('count', {
    clock: { until: '{{deadline}}', zone: 'Europe/Berlin' },
    variables: [textVariable('deadline', '2999-12-31')],
    layers: [textLayer('{{countdown.totalSeconds}}')],
  });
  publish('words', {
    animation: {
      type: 'values',
      plays: 2,
      frames: ['one', 'two', 'three'].map((word) => ({ values: { word }, seconds: 0.5 })),
    },
    variables: [textVariable('word', 'word')],
    layers: [textLayer('{{word}}')],
  });
  publish('large', {
    width: 2000,
    height: 2000,
    clock: { until: '2999-12-31' },
    variables: [],
    layers: [textLayer('{{countdown.seconds}}')],
  });
  publish('banner', {
    width: 1200,
    height: 800,
    clock: { until: '2999-12-31' },
    animation: { type: 'countdown', frames: 50 },
    variables: [],
    layers: [textLayer('{{countdown.seconds}}')],
  });
  publish('still', { variables: [], layers: [textLayer('still')] });
});
const service = await startService(t, { dataDirectory });

async function framesOf(file: Buffer): Promise<{ count: number; delay: number[]; loop: number }> {
  const { pages = 1, delay = [], loop = 1 } = await sharp(file, { animated: true }).metadata();
  return { count: pages, delay, loop };
}

t.test('a GIF of a countdown has a frame for each second, and is kept for the first', async (t) => {
  const whole = await service.get('/v1/render/count.gif');
  t.equal(whole.status, 200);
  t.equal(whole.headers['content-type'], 'image/gif');
  t.match(whole.headers['cache-control'], /max-age=[01](?!\d)/);
  t.same(await framesOf(whole.body), { count: 60, delay: Array(60).fill(1000), loop: 1 });
  const some = await service.get('/v1/render/count.gif?_frames=5');
  t.equal((await framesOf(some.body)).count, 5);
  const one = await service.get('/v1/render/count.gif?_frames=1');
  t.equal((await framesOf(one.body)).count, 1);
});

t.test('a countdown that is over stands still', async (t) => {
  const over = await service.get('/v1/render/count.gif?deadline=2001-01-01');
  t.equal((await framesOf(over.body)).count, 1);
  t.match(over.headers['cache-control'], /max-age=300/);
});

t.test('WebP and PNG move if they are asked to, and other files never do', async (t) => {
  const webp = await service.get('/v1/render/words.webp?_animated=1');
  t.same(await framesOf(webp.body), { count: 3, delay: [500, 500, 500], loop: 2 });
  const png = await service.get('/v1/render/words.png?_animated=1');
  const { delaysMs, plays } = await readApng(png.body);
  t.same({ delaysMs, plays }, { delaysMs: [500, 500, 500], plays: 2 });
  for (const link of ['words.webp', 'words.png', 'words.jpg?_animated=1', 'still.gif']) {
    // oxlint-disable-next-line no-await-in-loop -- few
    const { body } = await service.get(`/v1/render/${link}`);
    // oxlint-disable-next-line no-await-in-loop
    t.equal((await framesOf(body)).count, 1, link);
  }
});

t.test(
  'links with other frames are other images, and equal ones are answered from memory',
  async (t) => {
    const tags = await Promise.all(
      ['words.gif', 'words.gif?_frames=3', 'words.gif?_frames=2'].map(
        async (link) => (await service.get(`/v1/render/${link}`)).headers['etag'],
      ),
    );
    t.equal(tags[0], tags[1]);
    t.not(tags[0], tags[2]);
  },
);

t.test('wrong numbers of frames answer 400 that names the option', async (t) => {
  for (const value of ['0', '121', 'x', '1.5', '-1']) {
    // oxlint-disable-next-line no-await-in-loop -- few
    const { status, body } = await service.get(`/v1/render/count.gif?_frames=${value}`);
    t.equal(status, 400, value);
    t.match(String(body), /_frames must be a whole number from 1 to 120/);
  }
  const { status, body } = await service.get('/v1/render/words.webp?_animated=yes');
  t.equal(status, 400);
  t.match(String(body), /_animated must be 1/);
});

t.test('frames that are too large together answer 400 that names the option', async (t) => {
  const many = await service.get('/v1/render/large.gif?_frames=26');
  t.equal(many.status, 400);
  t.match(String(many.body), /_frames must be a smaller one: 26 frames of 2000 × 2000 have more/);
  const large = await service.get('/v1/render/large.webp?_animated=1&_frames=20&_scale=2');
  t.equal(large.status, 400);
  t.match(String(large.body), /_scale must be a smaller one: 20 frames of 4000 × 4000 have more/);
});

t.test('twice the pixels have as many frames as fit', async (t) => {
  const banner = await service.get('/v1/render/banner.gif');
  t.equal((await framesOf(banner.body)).count, 50);
  const twice = await service.get('/v1/render/banner.gif?_scale=2');
  t.equal(twice.status, 200);
  t.equal((await framesOf(twice.body)).count, 26);
});
