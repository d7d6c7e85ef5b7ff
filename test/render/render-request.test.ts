import t from 'tap';
import { parseQuery } from '../../src/http/query.ts';
import {
  findTemplate,
  parseRenderPath,
  parseRenderQuery,
  resolveOptions,
} from '../../src/render/render-request.ts';
import type { RenderOptions } from '../../src/render/render-request.ts';
import type { PublishedTemplate } from '../../src/templates/published-cache.ts';
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
    'x.gif',
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
    ['x.gif', '.gif'],
    ['x.mp4', '.mp4'],
    ['welcome-banner.PDF', '.PDF'],
  ] as const) {
    t.throws(() => parseRenderPath(segment), {
      code: 'NOT_FOUND',
      reason: 'extension',
      message: `Templates have no ${extension} file: end the link in .png, .jpg, .jpeg, .webp or .avif, or without an extension.`,
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
    ['_format', '_format=gif'],
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

t.test('a variable of an option’s name wins over the option', async (t) => {
  const template = publishedTemplate({
    variables: [textVariable('_format'), textVariable('_scale')],
  });
  t.same(optionsOf('x', '_format=gif&_scale=9&_quality=5', template), {
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
  t.throws(() => parseRenderQuery('a=1&'.repeat(2000)), { code: 'BAD_REQUEST' });
});
