import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import { parseQuery } from '../../src/http/query.ts';
import {
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

/** Options of a link whose bad options are left out. */
function repairedOf(segment: string, query: string, template: PublishedTemplate): RenderOptions {
  return repairOptions(parseRenderPath(segment), parseQuery(query), template);
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
  const wrong = ['', '.png', 'x.bmp', 'x.png.png', 'x.', 'a b', 'a%20b', '../x', 'é'];
  for (const segment of [...wrong, 'x'.repeat(65)]) {
    t.throws(() => parseRenderPath(segment), { code: 'NOT_FOUND' }, JSON.stringify(segment));
  }
});

t.test('another extension is answered with those that there are', async (t) => {
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
});

t.test('the format is that of the extension, of _format, of the template, or PNG', async (t) => {
  const plain = publishedTemplate();
  const webp = publishedTemplate({ output: { format: 'webp', quality: 50 } });
  const large = publishedTemplate({ width: 4096, height: 4096 });
  const closed = publishedTemplate({}, { linkOptions: ['scale'] });
  const cases: [segment: string, query: string, PublishedTemplate, Partial<RenderOptions>][] = [
    ['x', '', plain, { format: 'png', quality: 100, scale: 1 }],
    ['x', '', webp, { format: 'webp', quality: 50, scale: 1 }],
    ['x', '_format=avif', webp, { format: 'avif' }],
    ['x', '_format=JPG', webp, { format: 'jpeg' }],
    ['x.jpg', '_format=avif', webp, { format: 'jpeg' }],
    ['x.jpg', '_quality=70&_scale=3', plain, { format: 'jpeg', quality: 70, scale: 3 }],
    ['x.jpg', '_quality=1', large, { format: 'jpeg', quality: 1, scale: 1 }],
    ['x', '_scale=3', closed, { format: 'png', quality: 100, scale: 3 }],
    // PNG loses nothing.
    ['x.png', '_quality=70', plain, { quality: 100 }],
    // An empty option is none.
    ['x', '_format=&_scale=+', plain, { format: 'png', scale: 1 }],
  ];
  for (const [segment, query, template, expected] of cases) {
    const options = optionsOf(segment, query, template);
    t.match(options, expected, `${segment} ${query}`);
    t.same(repairedOf(segment, query, template), options, 'repairing changes no good link');
  }
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
    const { format, quality, scale } = expected;
    const repaired = `_format=${format}&_quality=${quality}&_scale=${scale}`;
    if (template !== closed)
      t.same(optionsOf('x', repaired, template), expected, 'may be asked for');
  }
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

t.test('a query with more parameters than any template needs is refused', async (t) => {
  t.throws(() => refuseTruncated(parseQuery('a=1&'.repeat(2000))), { code: 'BAD_REQUEST' });
});

t.test('a link has as many frames as its work on the thread that answers allows', async (t) => {
  const oneOf = Array.from({ length: 50 }, (_, index) => `{{v}}${index}`);
  const visibleWhen = { not: { variable: 'countdown.seconds', oneOf, ignoreCase: true } };
  const box = { x: 0, y: 0, width: 9, height: 9 };
  const imageLayers = Array.from({ length: 7 }, (_, index): Layer => {
    return { id: `i${index}`, type: 'image', ...box, src: '{{v}}', visibleWhen };
  });
  const moving = (frames: number, layers: Layer[]): PublishedTemplate =>
    publishedTemplate({
      clock: { until: '2031-01-01T00:00' },
      animation: { type: 'countdown', frames },
      variables: [textVariable('v')],
      layers,
    });
  const [plain] = imageLayers;
  t.equal(optionsOf('x.gif', '_frames=120', moving(2, [])).frames, 120);
  t.equal(optionsOf('x.gif', '_frames=90', moving(2, plain ? [plain] : [])).frames, 90);
  t.throws(() => optionsOf('x.gif', '_frames=120', moving(2, imageLayers)), {
    code: 'BAD_REQUEST',
    message: /^The option _frames must be at most 14: each frame of this template chooses images/,
  });
  t.equal(repairedOf('x.gif', '_frames=120', moving(2, imageLayers)).frames, 2);
  t.equal(optionsOf('x.gif', '', moving(60, imageLayers)).frames, 60, 'as many as designed');
});
