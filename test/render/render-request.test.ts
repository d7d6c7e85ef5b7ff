import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { formatNames } from '#language/formats.ts';
import { renderFormats } from '#wire/render-job.ts';
import { AppError } from '../../src/foundation/errors.ts';
import { parseQuery } from '../../src/http/query.ts';
import {
  findTemplate,
  parseRenderPath,
  refuseTruncated,
  repairOptions,
  resolveOptions,
} from '../../src/render/request.ts';
import type { RenderOptions } from '../../src/render/request.ts';
import type { PublishedTemplate } from '../../src/store/published-cache.ts';
import { publishedTemplate, textVariable } from '../fixtures/published.ts';

/** Options of a path segment and a query. */
function optionsOf(segment: string, query: string, template: PublishedTemplate): RenderOptions {
  return resolveOptions(parseRenderPath(segment), parseQuery(query), template);
}

t.test('a path is a uid, with an extension or without', async (t) => {
  t.same(parseRenderPath('welcome-banner'), { uid: 'welcome-banner', format: undefined });
  t.same(parseRenderPath('A_9'), { uid: 'A_9', format: undefined });
  for (const [extension, format] of [
    ['png', 'png'],
    ['jpg', 'jpeg'],
    ['jpeg', 'jpeg'],
    ['webp', 'webp'],
    ['avif', 'avif'],
    ['JPG', 'jpeg'],
  ]) {
    t.same(parseRenderPath(`x.${extension}`), { uid: 'x', format });
  }
  const wrong = [
    '',
    '.png',
    'x.bmp',
    'x.png.png',
    'x.',
    'a b',
    'a%20b',
    '../x',
    'é',
    'x'.repeat(65),
  ];
  for (const segment of wrong) {
    t.throws(() => parseRenderPath(segment), { code: 'NOT_FOUND' }, JSON.stringify(segment));
  }
});

t.test('another extension is answered with those that there are', (t) => {
  for (const [segment, extension] of [
    ['x.bmp', '.bmp'],
    ['x.mp4', '.mp4'],
    ['welcome-banner.PDF', '.PDF'],
  ] as const) {
    t.throws(() => parseRenderPath(segment), {
      code: 'NOT_FOUND',
      reason: 'extension',
      message: `Templates have no ${extension} file: end the link in .png, .jpg, .jpeg, .webp, .avif or .gif, or without an extension.`,
    });
  }
  t.end();
});

t.test('the format is that of the extension, of _format, of the template, or PNG', async (t) => {
  const plain = publishedTemplate();
  const webp = publishedTemplate({ output: { format: 'webp', quality: 50 } });
  t.same(optionsOf('x', '', plain), { format: 'png', quality: 100, scale: 1 });
  t.same(optionsOf('x', '', webp), { format: 'webp', quality: 50, scale: 1 });
  t.equal(optionsOf('x', '_format=avif', webp).format, 'avif');
  t.equal(optionsOf('x', '_format=JPG', webp).format, 'jpeg');
  t.equal(optionsOf('x.jpg', '_format=avif', webp).format, 'jpeg');
  t.same(optionsOf('x.jpg', '_quality=70&_scale=3', plain), {
    format: 'jpeg',
    quality: 70,
    scale: 3,
  });
  t.equal(optionsOf('x.png', '_quality=70', plain).quality, 100, 'PNG loses nothing');
  t.equal(optionsOf('x', '_format=&_scale=+', plain).format, 'png', 'an empty option is none');
});

t.test('a bad option is an error that names it', async (t) => {
  const large = publishedTemplate({ width: 4000, height: 4000 });
  const bad: [option: string, query: string][] = [
    ['_format', '_format=bmp'],
    ['_quality', '_quality=0'],
    ['_quality', '_quality=101'],
    ['_quality', '_quality=9.5'],
    ['_scale', '_scale=4'],
    ['_scale', '_scale=1.5'],
    ['_scale', '_scale=2'],
  ];
  for (const [option, query] of bad) {
    const expected = { code: 'BAD_REQUEST', message: new RegExp(option) };
    t.throws(() => optionsOf('x', query, large), expected, query);
  }
});

/** Options of a link whose bad options are left out. */
function repairedOf(segment: string, query: string, template: PublishedTemplate): RenderOptions {
  return repairOptions(parseRenderPath(segment), parseQuery(query), template);
}

/** Options of a link; undefined for one that is refused. */
function acceptedOf(...link: Parameters<typeof optionsOf>): RenderOptions | undefined {
  try {
    return optionsOf(...link);
  } catch (error) {
    assert(error instanceof AppError);
    return undefined;
  }
}

t.test('a repaired link keeps its good options and leaves out the bad ones alone', async (t) => {
  const plain = publishedTemplate({ output: { format: 'webp', quality: 50 } });
  const closed = publishedTemplate({}, { linkOptions: ['scale'] });
  const wide = publishedTemplate({ width: 2400, height: 1800 });
  const avifTemplate = publishedTemplate({
    width: 2400,
    height: 1800,
    output: { format: 'avif', quality: 30 },
  });
  const cases: [segment: string, query: string, PublishedTemplate, RenderOptions][] = [
    ['x', '_scale=2&_quality=999', plain, { format: 'webp', quality: 50, scale: 2 }],
    ['x', '_scale=9&_quality=70', plain, { format: 'webp', quality: 70, scale: 1 }],
    ['x', '_format=bmp&_scale=3&_quality=7', plain, { format: 'webp', quality: 7, scale: 3 }],
    ['x.jpg', '_scale=2&_quality=x', plain, { format: 'jpeg', quality: 50, scale: 2 }],
    ['x', '_format=jpg&_scale=0', plain, { format: 'jpeg', quality: 50, scale: 1 }],
    ['x.jpg', '_format=bmp&_scale=0', plain, { format: 'jpeg', quality: 50, scale: 1 }],
    ['x.jpg', '_scale=2', closed, { format: 'png', quality: 100, scale: 2 }],
    ['x.avif', '_quality=81&_scale=2', plain, { format: 'avif', quality: 50, scale: 2 }],
    ['x.avif', '_quality=40&_scale=2', wide, { format: 'png', quality: 100, scale: 1 }],
    ['x.avif', '_format=jpg&_quality=40', wide, { format: 'jpeg', quality: 40, scale: 1 }],
    ['x', '_quality=31&_scale=2', avifTemplate, { format: 'avif', quality: 30, scale: 1 }],
  ];
  for (const [segment, query, template, expected] of cases) {
    t.throws(
      () => optionsOf(segment, query, template),
      { code: 'BAD_REQUEST', reason: 'option' },
      query,
    );
    t.same(repairedOf(segment, query, template), expected, `${segment} ${query}`);
  }
});

t.test('repairing ends with options that a link may have, and changes no good link', async () => {
  const side = fc.integer({ min: 1, max: 4096 });
  const output = fc.record({
    format: fc.constantFrom(...renderFormats),
    quality: fc.integer({ min: 1, max: 100 }),
  });
  const anyDocument = fc.record(
    { width: side, height: side, output },
    { requiredKeys: ['width', 'height'] },
  );
  const anyLinkOptions = fc.option(fc.subarray(['format', 'quality', 'scale'] as const));
  const anySegment = fc.constantFrom('x', ...formatNames.map((name) => `x.${name}`));
  const anyQuery = fc.record({
    _format: fc.constantFrom('', ...formatNames, 'bmp'),
    _quality: fc.integer({ min: 0, max: 101 }).map(String),
    _scale: fc.constantFrom('', '0', '1', '2', '3'),
  });
  fc.assert(
    fc.property(
      anyDocument,
      anyLinkOptions,
      anySegment,
      anyQuery,
      (document, allowed, at, asked) => {
        const template = publishedTemplate(
          document,
          allowed === null ? {} : { linkOptions: allowed },
        );
        const query = new URLSearchParams(asked).toString();
        const repaired = repairedOf(at, query, template);
        const { format, quality, scale } = repaired;
        const same = `_format=${format}&_scale=${scale}&_quality=${quality}`;
        assert.deepEqual(optionsOf('x', same, template), repaired);
        const accepted = acceptedOf(at, query, template);
        if (accepted !== undefined) assert.deepEqual(accepted, repaired);
      },
    ),
  );
});

t.test('a variable of an option’s name wins over the option', async (t) => {
  const template = publishedTemplate({
    variables: [textVariable('_format'), textVariable('_scale')],
  });
  t.same(optionsOf('x', '_format=bmp&_scale=9&_quality=5', template), {
    format: 'png',
    quality: 100,
    scale: 1,
  });
});

t.test('the newest version is drawn, or the one that _version names', async (t) => {
  const newest = publishedTemplate({}, { version: 2 });
  const first = publishedTemplate({}, { version: 1, pinned: true });
  const templates = {
    findPublished: (uid: string, version?: number) =>
      uid !== 'x' ? undefined : version === undefined ? newest : version === 1 ? first : undefined,
  };
  const find = (segment: string, query: string): PublishedTemplate =>
    findTemplate(templates, parseRenderPath(segment), parseQuery(query));
  t.equal(find('x', ''), newest);
  t.equal(find('x', '_version=1'), first);
  t.equal(find('x', '_version='), newest);
  t.throws(() => find('y', ''), { code: 'NOT_FOUND', message: /^Template not found/ });
  t.throws(() => find('x', '_version=3'), { code: 'NOT_FOUND', message: /version 3/ });
  for (const version of ['1'.repeat(10), '9'.repeat(400)]) {
    t.throws(() => find('x', `_version=${version}`), { code: 'NOT_FOUND' });
  }
  for (const version of ['0', '-1', '1.0', 'one']) {
    t.throws(() => find('x', `_version=${version}`), { code: 'BAD_REQUEST', message: /_version/ });
  }
});

t.test('a query with more parameters than any template needs is refused', async (t) => {
  t.throws(() => refuseTruncated(parseQuery('a=1&'.repeat(2000))), { code: 'BAD_REQUEST' });
});
