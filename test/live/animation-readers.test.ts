/** Readers that others wrote decode moving images: Chromium, and gifsicle. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
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

/** What a browser makes of a file. */
interface Decoded {
  durationsMs: number[];
  repetitions: number;
  /** Of each frame: how far a channel is from that of its still, in the mean. */
  differences: number[];
}

t.test('moving images in readers of others', async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
    publish('words', {
      width: box.width,
      height: box.height,
      animation: {
        type: 'values',
        frames: words.map((word, index) => ({ values: { word }, seconds: secondsOf[index] ?? 1 })),
      },
      variables: [textVariable('word', 'word')],
      layers: [
        { id: 'ground', type: 'rect', ...box, fill: { gradient: 'linear', stops } },
        textLayer('{{word}}'),
      ],
    });
  });
  const service = await startService(t, { dataDirectory });
  const fileOf = async (target: string): Promise<string> =>
    (await service.render(target)).body.toString('base64');

  t.test('Chromium decodes all frames, near their stills', { skip: skipsPages }, async (t) => {
    const page = await (await startBrowser(t)).newPage();
    // Decoders of images are there for pages of this machine alone, and this one asks for nothing.
    const address = 'http://127.0.0.1/empty';
    await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto(address);
    const stills = await Promise.all(words.map((word) => fileOf(`words.png?word=${word}`)));
    for (const [target, type, most] of [
      ['words.gif', 'image/gif', 4],
      ['words.webp?_animated=1', 'image/webp', 3],
      ['words.png?_animated=1', 'image/png', 0],
    ] as const) {
      const decoded = await page.evaluate(decodeInPage, {
        file: await fileOf(target),
        type,
        stills,
      });
      t.same(decoded.durationsMs, [500, 250, 1000], target);
      t.equal(decoded.repetitions, Infinity, 'it plays without end');
      t.ok(
        Math.max(...decoded.differences) <= most,
        `${target}: ${decoded.differences.join(', ')}`,
      );
    }
  });

  t.test('gifsicle reads a GIF without a warning', { skip: skipsGifsicle }, async (t) => {
    const { body } = await service.render('words.gif');
    const { stdout, stderr, status } = spawnSync(gifsicle, ['--info', '-'], { input: body });
    t.equal(status, 0);
    t.equal(String(stderr), '');
    t.match(String(stdout), /3 images[^]*logical screen 400x200[^]*loop forever/);
    t.same(String(stdout).match(/delay [\d.]+s/g), ['delay 0.50s', 'delay 0.25s', 'delay 1.00s']);
    const optimized = spawnSync(gifsicle, ['--unoptimize', '--no-warnings', '-'], { input: body });
    t.equal(optimized.status, 0, 'it also writes whole frames');
  });
});

/** Runs in the browser. */
async function decodeInPage(order: {
  file: string;
  type: string;
  stills: string[];
}): Promise<Decoded> {
  interface Decoder {
    completed: Promise<void>;
    tracks: {
      ready: Promise<void>;
      selectedTrack: { frameCount: number; repetitionCount: number };
    };
    decode(options: { frameIndex: number }): Promise<{ image: { duration: number | null } }>;
  }
  const { ImageDecoder, OffscreenCanvas } = globalThis as unknown as {
    ImageDecoder: new (init: { data: Uint8Array; type: string }) => Decoder;
    OffscreenCanvas: new (
      width: number,
      height: number,
    ) => {
      getContext(kind: '2d'): {
        drawImage(image: unknown, x: number, y: number): void;
        getImageData(x: number, y: number, w: number, h: number): { data: Uint8ClampedArray };
      };
    };
  };
  const open = async (file: string, type: string): Promise<Decoder> => {
    const data = Uint8Array.from(atob(file), (letter) => letter.codePointAt(0) ?? 0);
    const decoder = new ImageDecoder({ data, type });
    await decoder.tracks.ready;
    await decoder.completed;
    return decoder;
  };
  const pixelsOf = (image: unknown): Uint8ClampedArray => {
    const context = new OffscreenCanvas(400, 200).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, 400, 200).data;
  };
  const decoder = await open(order.file, order.type);
  const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
  const durationsMs: number[] = [];
  const differences: number[] = [];
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex += 1) {
    // oxlint-disable-next-line no-await-in-loop -- frames build on one another
    const { image } = await decoder.decode({ frameIndex });
    durationsMs.push((image.duration ?? 0) / 1000);
    const still = await open(order.stills[frameIndex] ?? '', 'image/png');
    const wanted = pixelsOf((await still.decode({ frameIndex: 0 })).image);
    const shown = pixelsOf(image);
    let sum = 0;
    for (const [index, channel] of shown.entries()) sum += Math.abs(channel - (wanted[index] ?? 0));
    differences.push(sum / shown.length);
  }
  return { durationsMs, repetitions: repetitionCount, differences };
}
