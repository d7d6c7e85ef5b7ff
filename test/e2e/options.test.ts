import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import type { Test } from 'tap';
import { outputFormats } from '#language/formats.ts';
import { renderFormats } from '#wire/render-job.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import {
  checkDifferent,
  checkSame,
  decodeImage,
  jpegDotsPerInch,
  pngPixelsPerMetre,
} from './image-bytes.ts';
import { fillDataDirectory, textLayer, textVariable } from './published.ts';
import { checkError } from './request.ts';
import { startService } from './service.ts';

const [width, height] = [240, 40];
const variables = [textVariable('name', 'friend')];
const layers = [textLayer('{{name}}', { fill: '#c02020' })];
const gradient = {
  gradient: 'linear' as const,
  stops: [
    { offset: 0, color: '#102030' },
    { offset: 1, color: '#f0e0d0' },
  ],
};

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveDraft }) => {
  publish('plain', { variables, layers, background: gradient });
  for (const format of renderFormats) {
    publish(`as-${format}`, { variables, layers, output: { format } });
  }
  publish('versions', { variables, layers, background: '#ff0000' });
  publish('versions', { variables, layers, background: '#00ff00' });
  saveDraft('versions', { variables, layers, background: '#0000ff' });
  publish('version-1', { variables, layers, background: '#ff0000' });
  publish('version-2', { variables, layers, background: '#00ff00' });
  publish('quality', {
    variables,
    layers,
    background: gradient,
    output: { format: 'jpeg', quality: 20 },
  });
});
const service = await startService(t, { dataDirectory });

async function checkFormat(
  t: Test,
  target: string,
  format: RenderFormat,
  headers: Record<string, string> = {},
): Promise<void> {
  const answer = await service.render(target, { headers });
  t.equal(answer.headers['content-type'], outputFormats[format].mediaType, target);
  const { format: actual, width: actualWidth } = await sharp(answer.body).metadata();
  t.equal(actual, format === 'avif' ? 'heif' : format, `${target} is a ${format} file`);
  t.equal(actualWidth, width);
}

t.test('the format is the extension, else _format, else the template’s, else PNG', async (t) => {
  await checkFormat(t, 'plain', 'png');
  for (const format of renderFormats) {
    await checkFormat(t, `plain.${format}`, format);
    await checkFormat(t, `plain?_format=${format}`, format);
    await checkFormat(t, `as-${format}`, format);
    const other = format === 'webp' ? 'png' : 'webp';
    await checkFormat(t, `plain.${format}?_format=${other}`, format);
    await checkFormat(t, `as-${format}.${other}`, other);
    await checkFormat(t, `as-${format}?_format=${other}`, other);
  }
  await checkFormat(t, 'plain.jpg', 'jpeg');
  await checkFormat(t, 'plain?_format=jpg', 'jpeg');
  await checkFormat(t, 'as-png.jpg?_format=webp&name=Zoe', 'jpeg');
});

t.test('what the reader’s program accepts has no say', async (t) => {
  const plain = await service.render('plain');
  for (const accept of ['image/avif,image/webp,*/*;q=0.8', 'text/html', 'application/json', '']) {
    const { status, headers } = await service.render('plain', { headers: { accept } });
    t.equal(status, 200, accept);
    t.equal(headers['content-type'], 'image/png', accept);
    t.equal(headers.etag, plain.headers.etag);
    t.notMatch(headers.vary ?? '', /accept(?!-)/i);
  }
  await checkFormat(t, 'as-jpeg', 'jpeg', { accept: 'image/webp' });
});

t.test('.jpg and .jpeg are the same image', async (t) => {
  const [jpg, jpeg] = [await service.render('plain.jpg'), await service.render('plain.jpeg')];
  t.ok(jpg.body.equals(jpeg.body));
  t.equal(jpg.headers.etag, jpeg.headers.etag);
});

t.test('all formats show the same image', async (t) => {
  const png = await decodeImage((await service.render('plain.png')).body);
  for (const format of ['jpg', 'webp', 'avif']) {
    const other = await decodeImage((await service.render(`plain.${format}?_quality=80`)).body);
    let sum = 0;
    for (let index = 0; index < png.data.length; index += 1) {
      sum += Math.abs((png.data[index] ?? 0) - (other.data[index] ?? 0));
    }
    const mean = sum / png.data.length;
    t.ok(mean < 6, `${format} differs from PNG by ${mean.toFixed(2)} of 255 on average`);
  }
});

t.test('_scale makes 1, 2 or 3 device pixels of a design pixel, always at 96 dpi', async (t) => {
  for (const scale of [1, 2, 3]) {
    for (const format of ['png', 'jpg', 'webp', 'avif']) {
      const { body } = await service.render(`plain.${format}?_scale=${scale}`);
      const metadata = await sharp(body).metadata();
      t.same(
        [metadata.width, metadata.height],
        [width * scale, height * scale],
        `${format} ${scale}`,
      );
      if (format === 'png') t.same(pngPixelsPerMetre(body), { x: 3780, y: 3780 });
      if (format === 'jpg') t.same(jpegDotsPerInch(body), { x: 96, y: 96 });
    }
  }
  const [one, byDefault] = [await service.render('plain?_scale=1'), await service.render('plain')];
  t.equal(one.headers.etag, byDefault.headers.etag, '1 is the default');
});

t.test('_quality changes size and image, and the template’s quality is its default', async (t) => {
  for (const format of ['jpg', 'webp', 'avif']) {
    const sizes = await Promise.all(
      [1, 40, 80].map(async (quality) => {
        const { status, body } = await service.render(`plain.${format}?_quality=${quality}`);
        t.equal(status, 200);
        return body.length;
      }),
    );
    t.same(
      sizes,
      sizes.toSorted((a, b) => a - b),
      `${format}: ${sizes.join(' < ')} bytes`,
    );
    t.equal(new Set(sizes).size, 3);
  }
  const [byDefault, same, better] = await Promise.all(
    ['quality', 'quality?_quality=20', 'quality?_quality=90'].map((path) => service.render(path)),
  );
  t.ok(byDefault?.body.equals(same?.body ?? Buffer.alloc(0)), 'the template says 20');
  t.ok((better?.body.length ?? 0) > (byDefault?.body.length ?? 0));
});

t.test('_version draws that version, and without it the newest that is published', async (t) => {
  const [first, second] = [await service.render('version-1'), await service.render('version-2')];
  await checkSame(t, await service.render('versions?_version=1'), first, 'version 1');
  await checkSame(t, await service.render('versions?_version=2'), second, 'version 2');
  await checkSame(t, await service.render('versions'), second, 'a draft is not drawn');
  await checkDifferent(t, first, second, 'they differ');
  for (const version of ['3', '99', '999999999', '4294967297']) {
    const answer = await service.render(`versions?_version=${version}`);
    if (version.length < 10) checkError(t, answer, 404, 'NOT_FOUND');
    else t.ok([400, 404].includes(answer.status), version);
  }
});

t.test('a bad option is 400 that names it', async (t) => {
  for (const [option, values] of Object.entries({
    _format: ['bmp', 'psd', 'svg', 'pdf', 'image/png', '.png', 'constructor', '__proto__'],
    _scale: ['0', '4', '1.5', '-1', '2x', 'abc', '1e0', '1,2', 'Infinity'],
    _quality: ['0', '101', '-5', '50.5', 'high', '1e1', '0x10', '99999999999999999999'],
    _version: ['-1', '1.5', 'latest', 'abc', '1e1', '0x1'],
  })) {
    for (const value of values) {
      const answer = await service.render(`versions?${option}=${encodeURIComponent(value)}`);
      t.match(checkError(t, answer, 400, 'BAD_REQUEST'), option, `${option}=${value}`);
    }
  }
  const zero = await service.render('versions?_version=0');
  t.ok([400, 404].includes(zero.status), 'there is no version 0');
});

t.test('an extension that is none of the formats is no template', async (t) => {
  for (const path of ['plain.bmp', 'plain.svg', 'plain.', 'plain.png.png', '.png', 'plain.exe']) {
    checkError(t, await service.render(path), 404, 'NOT_FOUND');
  }
});
