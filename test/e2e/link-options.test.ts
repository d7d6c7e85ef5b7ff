/** What a link may choose: any name of a designer, no bad options, the template's own rule, and quick encodes. */
import t from 'tap';
import { bindText } from '#language/bind/bindings.ts';
import { parseQuery } from '../../src/http/query.ts';
import { parseRenderPath, repairOptions, resolveOptions } from '../../src/render/request.ts';
import type { RenderOptions } from '../../src/render/request.ts';
import { noTables } from '../../src/render/table-values.ts';
import { resolveVariables } from '../../src/render/values.ts';
import type { PublishedTemplate } from '../../src/store/published-cache.ts';
import { publishedTemplate, textVariable } from '../fixtures/published.ts';
import { textLayer } from './published.ts';

const clock = { until: '2999-12-31' };
const seconds = textLayer('{{countdown.seconds}}');
const large = { width: 2500, height: 2000 };
const templates = {
  open: publishedTemplate(),
  none: publishedTemplate({ output: { format: 'jpeg', quality: 70 } }, { linkOptions: [] }),
  scale: publishedTemplate({}, { linkOptions: ['scale'] }),
  large: publishedTemplate(large),
  /** At scale 2 less than any image may have, and more than WebP by link. */
  wide: publishedTemplate({ width: 2000, height: 1800 }),
  banner: publishedTemplate({ width: 1200, height: 630 }),
  'large-avif': publishedTemplate({ ...large, output: { format: 'avif', quality: 30 } }),
  'fine-avif': publishedTemplate({ output: { format: 'avif', quality: 95 } }),
  count: publishedTemplate({ clock, layers: [seconds] }),
  'still-count': publishedTemplate(
    { clock, layers: [seconds] },
    { linkOptions: ['format', 'scale', 'quality', 'lang', 'size'] },
  ),
  'large-count': publishedTemplate({ width: 2000, height: 2000, clock, layers: [seconds] }),
  'banner-count': publishedTemplate({
    width: 1200,
    height: 800,
    clock,
    animation: { type: 'countdown', frames: 50 },
    layers: [seconds],
  }),
} satisfies Record<string, PublishedTemplate>;

/** The options of a link; throws where it is refused. */
function optionsOf(link: string): RenderOptions {
  const [path = '', query = ''] = link.split('?');
  const { uid, format } = parseRenderPath(path);
  const template = templates[uid as keyof typeof templates];
  return resolveOptions({ uid, format }, parseQuery(query), template);
}

function refuses(link: string, message: RegExp): void {
  t.throws(() => optionsOf(link), { code: 'BAD_REQUEST', message }, link);
}

t.test('any name that a designer chooses is a name like any other', async (t) => {
  const words = '__proto__ Größe items[0] a&b 50% %41 "quoted" 🎉';
  const names = [...words.split(' '), 'n'.repeat(128)];
  const variables = names.map((name) => textVariable(name));
  const texts = names.map((name) => `{{${name}}}`);
  for (const [index, name] of names.entries()) {
    const query = parseQuery(`${encodeURIComponent(name)}=given`);
    const values = resolveVariables(publishedTemplate({ variables }), query, noTables);
    const drawn = texts.map((text) => bindText(text, values));
    t.same(drawn, names.map((each) => `default ${each}`).with(index, 'given'), name);
  }
});

t.test('a bad option is 400 that names it', async () => {
  for (const [option, values] of Object.entries({
    _format: ['image/png', '.png', 'constructor', '__proto__'],
    _scale: ['0', '-1', '2x', 'abc', '1e0', '1,2', 'Infinity'],
    _quality: ['-5', 'high', '1e1', '0x10', '99999999999999999999'],
  })) {
    for (const value of values) {
      refuses(`open?${option}=${encodeURIComponent(value)}`, new RegExp(option));
    }
  }
});

t.test('a template forbids options, and the answer names option and rule', async (t) => {
  refuses('none.png', /_format \(or an extension\).*"linkOptions"/);
  refuses('none?_format=webp', /_format.*take no options/);
  refuses('none?_scale=2', /_scale.*"linkOptions"/);
  refuses('none?_quality=90', /_quality.*"linkOptions"/);
  refuses('scale.webp', /_format.*take _scale only/);
  refuses('scale.jpg?_scale=2', /_format/);
  t.match(optionsOf('scale?_scale=3'), { format: 'png', scale: 3 });
  refuses('still-count.gif?_frames=5', /_frames \(or _animated\) is not allowed/);
  refuses('still-count.webp?_animated=1', /_frames \(or _animated\) is not allowed/);
  t.match(optionsOf('still-count.gif?_frames=60'), { frames: 60 }, 'as many as without it');
  t.match(optionsOf('still-count.png?_frames=5').frames, undefined, 'it changes nothing');
  const query = parseQuery('_animated=1&_frames=5');
  const repaired = repairOptions(parseRenderPath('x.webp'), query, templates['still-count']);
  t.match(repaired, { format: 'webp', frames: undefined });
});

t.test('what repeats the template’s word is no option', async (t) => {
  for (const link of ['none', 'none.jpg', 'none.jpeg?_scale=1', 'none?_quality=70&_format=jpg']) {
    t.match(optionsOf(link), { format: 'jpeg', quality: 70, scale: 1 }, link);
  }
  t.equal(optionsOf('none.jpg?name=Zoe&_version=1').format, 'jpeg');
  t.equal(optionsOf('scale.png?_quality=3').format, 'png');
});

t.test('a link chooses no encode that takes seconds', async (t) => {
  refuses('open.avif?_quality=81', /_quality must be at most 80 for AVIF/);
  refuses('banner.avif?_quality=100&_scale=3', /_quality must be at most 80/);
  refuses('banner.avif?_scale=3', /_scale.*AVIF.*4 megapixels.*3600 × 1890/);
  refuses('large.avif', /_format or extension must be another one: AVIF.*4 megapixels/);
  refuses('wide?_format=webp&_scale=2', /_scale.*WebP.*12 megapixels/);
  t.match(optionsOf('banner.avif?_quality=80&_scale=2'), { format: 'avif', scale: 2 });
  t.match(optionsOf('open.avif?_quality=80&_scale=3'), { quality: 80, scale: 3 });
  t.equal(optionsOf('large.webp').format, 'webp');
});

t.test('a template chooses more than a link may', async (t) => {
  t.equal(optionsOf('fine-avif').quality, 95);
  t.equal(optionsOf('fine-avif?_quality=95').quality, 95);
  refuses('fine-avif?_quality=96', /at most 95/);
  t.equal(optionsOf('large-avif').quality, 30);
  refuses('large-avif?_quality=31', /4 megapixels/);
});

t.test('a link chooses a number of frames that fits, or is refused', async (t) => {
  for (const value of ['0', '121', 'x', '1.5', '-1']) {
    refuses(`count.gif?_frames=${value}`, /_frames must be a whole number from 1 to 120/);
  }
  refuses('count.webp?_animated=yes', /_animated must be 1/);
  refuses('large-count.gif?_frames=26', /_frames must be a smaller.*26 frames of 2000 × 2000/);
  refuses(
    'large-count.webp?_animated=1&_frames=20&_scale=2',
    /_scale must be a smaller one: 20 frames of 4000 × 4000 have more/,
  );
  t.equal(optionsOf('banner-count.gif').frames, 50);
  t.equal(optionsOf('banner-count.gif?_scale=2').frames, 26, 'as many as fit');
  t.equal(optionsOf('count.gif?_frames=5').frames, 5);
  t.equal(optionsOf('count.webp').frames, undefined);
});
