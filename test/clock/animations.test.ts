/** Moving images of a started service, and readers that others wrote: Chromium, and gifsicle. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { readApng } from '../helpers/apng-reader.ts';
import { skipsPages, startBrowser } from '../helpers/browser.ts';

const gifsicle = '/usr/bin/gifsicle';
const skipsGifsicle = existsSync(gifsicle)
  ? false
  : `there is no ${gifsicle}: install the package gifsicle`;

const words = ['one', 'two', 'three'];
const secondsOf = [0.5, 0.25, 1];
const stops = [
  { offset: 0, color: '#ff6a3d' },
  { offset: 0.5, color: '#2d1b69' },
  { offset: 1, color: '#3ddcff' },
];
const box = { x: 0, y: 0, width: 400, height: 200 };

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('count', {
    clock: { until: '{{deadline}}', zone: 'Europe/Berlin' },
    variables: [textVariable('deadline', '2999-12-31')],
    layers: [textLayer('{{countdown.totalSeconds}}')],
  });
  const frames = words.map((word, index) => ({ values: { word }, seconds: secondsOf[index] ?? 1 }));
  const document = {
    width: box.width,
    height: box.height,
    variables: [textVariable('word', 'word')],
    layers: [
      { id: 'ground', type: 'rect' as const, ...box, fill: { gradient: 'linear' as const, stops } },
      textLayer('{{word}}'),
    ],
  };
  publish('words', { ...document, animation: { type: 'values', frames } });
  publish('twice', { ...document, animation: { type: 'values', frames, plays: 2 } });
  publish('still', { layers: [textLayer('still')] });
});
const service = await startService(t, { dataDirectory });

/** The frames of a link's file, with how long they stand in milliseconds. */
async function framesOf(link: string): Promise<{ count: number; delay: number[]; loop: number }> {
  const { body } = await service.render(link);
  const { pages = 1, delay = [], loop = 1 } = await sharp(body, { animated: true }).metadata();
  return { count: pages, delay, loop };
}

t.test('a GIF of a countdown has a frame for each second, and is kept for the first', async (t) => {
  const { status, headers } = await service.render('count.gif');
  t.equal(status, 200);
  t.equal(headers['content-type'], 'image/gif');
  t.match(headers['cache-control'], /max-age=[01](?!\d)/);
  const delay = Array<number>(60).fill(1000);
  t.same(await framesOf('count.gif'), { count: 60, delay, loop: 1 });
  for (const count of [5, 1]) t.match(await framesOf(`count.gif?_frames=${count}`), { count });
  const over = await service.render('count.gif?deadline=2001-01-01');
  t.match(over.headers['cache-control'], /max-age=300/, 'one that is over stands still');
  t.match(await framesOf('count.gif?deadline=2001-01-01'), { count: 1 });
});

t.test('WebP and PNG move if they are asked to, and other files never do', async (t) => {
  const delays = secondsOf.map((seconds) => seconds * 1000);
  const webp = await framesOf('twice.webp?_animated=1');
  t.same(webp, { count: 3, delay: delays, loop: 2 });
  const png = await service.render('twice.png?_animated=1');
  const { delaysMs, plays } = await readApng(png.body);
  t.same({ delaysMs, plays }, { delaysMs: delays, plays: 2 });
  for (const link of ['words.webp', 'words.png', 'words.jpg?_animated=1', 'still.gif']) {
    t.match(await framesOf(link), { count: 1 }, link);
  }
});

t.test('Chromium decodes all frames, near their stills', { skip: skipsPages }, async (t) => {
  const page = await (await startBrowser(t)).newPage();
  // Decoders of images are there for pages of this machine alone, and this one asks for nothing.
  const address = 'http://127.0.0.1/empty';
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(address);
  const fileOf = async (target: string): Promise<string> =>
    (await service.render(target)).body.toString('base64');
  const stills = await Promise.all(words.map((word) => fileOf(`words.png?word=${word}`)));
  for (const [target, type, most] of [
    ['words.gif', 'image/gif', 4],
    ['words.webp?_animated=1', 'image/webp', 3],
    ['words.png?_animated=1', 'image/png', 0],
  ] as const) {
    const order = JSON.stringify({ file: await fileOf(target), type, stills });
    const found = await page.evaluate<Decoded>(`(${decodeInPage})(${order})`);
    t.same(found.durationsMs, [500, 250, 1000], target);
    t.equal(found.repeats, 'Infinity', 'it plays without end');
    const differences = found.differences.join(', ');
    t.ok(Math.max(...found.differences) <= most, `${target}: ${differences}`);
  }
});

t.test('gifsicle reads a GIF without a warning', { skip: skipsGifsicle }, async (t) => {
  const { body } = await service.render('words.gif');
  const { stdout, stderr, status } = spawnSync(gifsicle, ['--info', '-'], { input: body });
  t.equal(status, 0);
  t.equal(String(stderr), '');
  t.match(String(stdout), /3 images[^]*logical screen 400x200[^]*loop forever/);
  t.same(String(stdout).match(/delay [\d.]+s/g), ['delay 0.50s', 'delay 0.25s', 'delay 1.00s']);
  const whole = spawnSync(gifsicle, ['--unoptimize', '--no-warnings', '-'], { input: body });
  t.equal(whole.status, 0, 'it also writes whole frames');
});

/** What a browser makes of a file. */
interface Decoded {
  durationsMs: number[];
  repeats: string;
  /** Of each frame: how far a channel is from that of its still, in the mean. */
  differences: number[];
}

/** A function of the page, as text: from a file, its type and the stills of its frames to what was decoded. */
const decodeInPage = `async ({ file, type, stills }) => {
  const open = async (text, type) => {
    const data = Uint8Array.from(atob(text), (letter) => letter.codePointAt(0));
    const decoder = new ImageDecoder({ data, type });
    await decoder.tracks.ready;
    await decoder.completed;
    return decoder;
  };
  const pixelsOf = (image) => {
    const context = new OffscreenCanvas(400, 200).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, 400, 200).data;
  };
  const decoder = await open(file, type);
  const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
  const [durationsMs, differences] = [[], []];
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex += 1) {
    const { image } = await decoder.decode({ frameIndex });
    durationsMs.push(image.duration / 1000);
    const still = await open(stills[frameIndex], 'image/png');
    const wanted = pixelsOf((await still.decode({ frameIndex: 0 })).image);
    const shown = pixelsOf(image);
    const sum = shown.reduce((total, channel, index) => total + Math.abs(channel - wanted[index]), 0);
    differences.push(sum / shown.length);
  }
  return { durationsMs, repeats: String(repetitionCount), differences };
}`;
