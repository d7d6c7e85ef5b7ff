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
import { testDocument } from '../e2e/published.ts';
import { repository, runPlaten } from './run-platen.ts';

// Each command is a process of its own; on a busy machine they take seconds.
t.setTimeout(120_000);

const banner = 'data/templates/welcome-banner.json';
const card = 'data/templates/product-card.json';
const hello = 'data/templates/hello.json';

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
  const photos = join(repository, 'data/templates/pictures');
  copyFileSync(join(photos, 'stage.jpg'), join(folder, 'stage.jpg'));
  copyFileSync(join(repository, banner), join(folder, 'banner.json'));
  mkdirSync(join(folder, 'pictures'));
  copyFileSync(join(photos, 'coast.jpg'), join(folder, 'pictures/coast.jpg'));
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

t.test('what cannot be rendered is reported, and no file is written or lost', async (t) => {
  const folder = t.testdir({ 'old.png': 'as it was' });
  const environment = { PLATEN_DATA_DIR: folder };
  const target = join(folder, 'old.png');
  const sale = join(folder, 'sale.json');
  const variables = [
    { name: 'off', type: 'number', value: '20' },
    { name: 'ends', type: 'date', value: '2026-11-27' },
  ];
  writeFileSync(sale, JSON.stringify({ ...testDocument(), variables, layers: [] }));
  const cases: [args: string[], code: number, message: RegExp][] = [
    [['render', hello, '--set', 'nam=A'], 2, /did you mean name\?/],
    [['render', hello, '--set', 'name'], 2, /expected name=value/],
    [['render', hello, '--scale', '9'], 1, /_scale must be one of 1, 2, 3/],
    [['render', hello, '--format', 'bmp'], 2, /Allowed choices are png/],
    [['render', sale, '--set', 'off=abc'], 1, /: Invalid variable value: "off" is not a number/],
    [['render', sale, '--set', 'off=1e400'], 1, /: Invalid variable value: "off" is not/],
    [['render', sale, '--set', 'ends=soon'], 1, /: Invalid variable value: "ends" is not a date/],
    [['render', 'none.json'], 66, /ENOENT/],
    [['render', card, '--set', 'product=http://127.0.0.1/a.png'], 1, /image of "product"/],
  ];
  for (const [args, code, message] of cases) {
    const ran = await runPlaten([...args, '-o', target], { environment });
    t.equal(ran.code, code, args.join(' '));
    t.match(ran.stderr, message);
  }
  t.equal(readFileSync(target, 'utf8'), 'as it was');
  t.notMatch(readdirSync(folder).join('\n'), /\.tmp$/m);
  t.notOk(existsSync(join(folder, 'platen.db')), 'drawing needs no database');
});

t.test('--size draws a size of the template, and an unknown one is refused by name', async (t) => {
  const sizes = [{ name: 'story', width: 20, height: 60 }];
  const document = testDocument({ width: 40, height: 20, sizes });
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
  const box = { x: 0, y: 0, width: 10, height: 10, fill: '#ff0000' };
  const clock = { until: '2026-11-27T18:00', zone: 'Europe/Berlin' };
  const layer = { id: 'over', type: 'rect', ...box, visibleWhen: over } as const;
  const document = testDocument({ width: 10, height: 10, clock, layers: [layer] });
  const folder = t.testdir({ 'sale.json': JSON.stringify(document) });
  const draw = (now: string) =>
    runPlaten(['render', join(folder, 'sale.json'), '--now', now, '-o', '-']);
  const green = async (now: string): Promise<number | undefined> => {
    const image = sharp((await draw(now)).bytes).removeAlpha();
    return (await image.raw().toBuffer())[1];
  };
  t.equal(await green('2026-11-27T17:59:59'), 255);
  t.equal(await green('2026-11-27T18:00'), 0);
  const wrong = await draw('soon');
  t.not(wrong.code, 0);
  t.match(wrong.stderr, /--now soon: expected a date/);
});
