import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { demoKey, startService } from '../e2e/service.ts';
import { repository, runPlaten } from './run-platen.ts';

// Each command is a process of its own; on a busy machine they take seconds.
t.setTimeout(120_000);

const banner = 'data/templates/welcome-banner.json';
const hello = 'data/templates/hello.json';

t.test(
  'a file is drawn to the bytes of a first answer, and to the pixels of later ones',
  async (t) => {
    const folder = t.testdir();
    const draw = async (...values: string[]): Promise<Buffer> => {
      const args = ['render', banner, ...values.flatMap((value) => ['--set', value]), '-o', '-'];
      const ran = await runPlaten(args, { environment: { PLATEN_DATA_DIR: folder } });
      t.equal(ran.code, 0, ran.stderr);
      return ran.bytes;
    };
    const plain = await draw();
    const personal = await draw('name=Amanda', 'offer=50% off');
    const service = await startService(t, { dataDirectory: join(folder, 'data') });
    const first = await service.render('welcome-banner');
    t.ok(first.body.equals(plain), 'the same bytes');

    // The second image of a template makes its base render, so the third is drawn over one.
    await service.render('welcome-banner?name=Bo');
    const spliced = await service.render('welcome-banner?name=Amanda&offer=50%25+off');
    t.equal(spliced.status, 200);
    const [offline, online] = await Promise.all(
      [personal, spliced.body].map((bytes) => sharp(bytes).raw().toBuffer()),
    );
    t.ok(online !== undefined && offline?.equals(online), 'the same pixels');

    const font = join(repository, 'node_modules/@expo-google-fonts/lobster/400Regular');
    const upload = await fetch(`${service.base}/v1/fonts`, {
      method: 'POST',
      headers: { 'X-API-Key': demoKey },
      body: readFileSync(join(font, 'Lobster_400Regular.ttf')),
    });
    t.equal(upload.status, 201);
    const text = readFileSync(join(repository, hello), 'utf8').replace('Fraunces', 'Lobster');
    writeFileSync(join(folder, 'own.json'), text.replace('"fontWeight": 600,', ''));
    const chosen = await runPlaten(
      ['render', 'own.json', '--org', 'demo', '-o', 'own.png', '--json'],
      {
        cwd: folder,
        environment: { PLATEN_DATA_DIR: join(folder, 'data') },
      },
    );
    t.match(chosen.json(), { format: 'png', warnings: [] }, 'with the fonts of the organization');
  },
);

t.test('format, scale and quality are those of the options, else of the file name', async (t) => {
  const folder = t.testdir();
  const environment = { PLATEN_DATA_DIR: folder };
  const target = join(folder, 'new', 'a.webp');
  const args = ['render', hello, '--scale', '2', '--quality', '50', '-o', target, '--json'];
  const ran = await runPlaten(args, { environment });
  t.match(ran.json(), { file: target, format: 'webp', warnings: [] });
  t.equal(readFileSync(target).subarray(8, 12).toString(), 'WEBP');
  const toOutput = await runPlaten(['render', hello, '-f', 'png', '-o', '-'], { environment });
  t.equal(toOutput.bytes.readUInt32BE(0), 0x89504e47, 'a PNG on standard output');
  t.equal(toOutput.bytes.readUInt32BE(16), 400, '400 pixels wide');
});

t.test('a value may be a file beside the person', async (t) => {
  const folder = t.testdir();
  const environment = { PLATEN_DATA_DIR: folder };
  copyFileSync(join(repository, 'data/templates/pictures/stage.jpg'), join(folder, 'stage.jpg'));
  copyFileSync(join(repository, banner), join(folder, 'banner.json'));
  mkdirSync(join(folder, 'pictures'));
  copyFileSync(
    join(repository, 'data/templates/pictures/coast.jpg'),
    join(folder, 'pictures/coast.jpg'),
  );
  const draw = async (name: string, ...more: string[]): Promise<Buffer> => {
    const args = ['render', 'banner.json', ...more, '-o', name];
    const ran = await runPlaten(args, { environment, cwd: folder });
    t.equal(ran.code, 0, ran.stderr);
    return readFileSync(join(folder, name));
  };
  const standard = await draw('a.jpg');
  const other = await draw('b.jpg', '--set', 'photo=./stage.jpg');
  t.notOk(standard.equals(other), 'another image');
});

t.test(
  'a template that cannot be rendered is reported, and no file is written or lost',
  async (t) => {
    const folder = t.testdir({ 'old.png': 'as it was' });
    const environment = { PLATEN_DATA_DIR: folder };
    const target = join(folder, 'old.png');
    const cases: [args: string[], code: number, message: RegExp][] = [
      [['render', hello, '--set', 'nam=A'], 2, /did you mean name\?/],
      [['render', hello, '--set', 'name'], 2, /expected name=value/],
      [['render', hello, '--scale', '9'], 1, /_scale must be one of 1, 2, 3/],
      [['render', hello, '--format', 'bmp'], 2, /Allowed choices are png/],
      [['render', 'none.json'], 66, /ENOENT/],
      [
        ['render', 'data/templates/product-card.json', '--set', 'product=http://127.0.0.1/a.png'],
        1,
        /image of "product"/,
      ],
    ];
    for (const [args, code, message] of cases) {
      const ran = await runPlaten([...args, '-o', target], { environment });
      t.equal(ran.code, code, args.join(' '));
      t.match(ran.stderr, message);
    }
    t.equal(readFileSync(target, 'utf8'), 'as it was');
    t.same(
      readdirSync(folder).filter((name) => name.endsWith('.tmp')),
      [],
    );
    t.notOk(existsSync(join(folder, 'platen.db')), 'drawing needs no database');
  },
);

t.test('--size draws a size of the template, and an unknown one is refused by name', async (t) => {
  const document = {
    format: 1,
    name: 'Sizes',
    width: 40,
    height: 20,
    background: '#ff0000',
    variables: [],
    sizes: [{ name: 'story', width: 20, height: 60 }],
    layers: [],
  };
  const folder = t.testdir({ 'sizes.json': JSON.stringify(document) });
  const draw = (...options: string[]) =>
    runPlaten(['render', join(folder, 'sizes.json'), ...options, '-o', '-']);
  const plain = await draw();
  t.match(await sharp(plain.bytes).metadata(), { width: 40, height: 20 });
  const story = await draw('--size', 'story');
  t.match(await sharp(story.bytes).metadata(), { width: 20, height: 60 });
  const wrong = await draw('--size', 'square');
  t.not(wrong.code, 0);
  t.match(wrong.stderr, /_size must be one of story/);
});

t.test('--now draws another time, in the zone of the template', async (t) => {
  const over = { variable: 'countdown.isOver', equals: 'true' };
  const document = {
    format: 1,
    name: 'Sale',
    width: 10,
    height: 10,
    background: '#ffffff',
    clock: { until: '2026-11-27T18:00', zone: 'Europe/Berlin' },
    variables: [],
    layers: [
      {
        id: 'over',
        type: 'rect',
        x: 0,
        y: 0,
        width: 10,
        height: 10,
        fill: '#ff0000',
        visibleWhen: over,
      },
    ],
  };
  const folder = t.testdir({ 'sale.json': JSON.stringify(document) });
  const draw = (now: string) =>
    runPlaten(['render', join(folder, 'sale.json'), '--now', now, '-o', '-']);
  const green = async (now: string): Promise<number | undefined> =>
    (
      await sharp((await draw(now)).bytes)
        .removeAlpha()
        .raw()
        .toBuffer()
    )[1];
  t.equal(await green('2026-11-27T17:59:59'), 255);
  t.equal(await green('2026-11-27T18:00'), 0);
  const wrong = await draw('soon');
  t.not(wrong.code, 0);
  t.match(wrong.stderr, /--now soon: expected a date/);
});
