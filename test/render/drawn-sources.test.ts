import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { parseQuery } from '../../src/http/query.ts';
import { ImageError } from '../../src/images/image-error.ts';
import type { ImageRequester } from '../../src/images/turns.ts';
import { drawnSources } from '../../src/render/images/drawn-sources.ts';
import { loadJobImages } from '../../src/render/images/job-images.ts';
import { imageOrigins } from '../../src/render/images/origins.ts';
import { RenderOrder } from '../../src/render/order.ts';
import { defaultOptions } from '../../src/render/request.ts';
import { noTables } from '../../src/render/table-values.ts';
import { resolveVariables } from '../../src/render/values.ts';
import { publishedTemplate } from '../fixtures/published.ts';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';

const host = 'https://example.com';

function sourcesOf(parts: object, frames?: number): string[] {
  const variables = [
    aVariable('n', 'number', '0'),
    aVariable('on', 'boolean', 'true'),
    aVariable('photo', 'image', `${host}/default.png`),
  ];
  const document = aTemplate({ variables, ...parts }) as Template;
  const template = { ...publishedTemplate({}), document };
  const values = new Map(document.variables.map((each) => [each.name, defaultText(each)]));
  const options = { format: 'gif', scale: 1, timeMs: 0, frames } as never;
  return drawnSources(template, values, options);
}

const framesOf = (values: object[]): object => ({
  type: 'values',
  frames: values.map((each) => ({ values: each, seconds: 1 })),
});

t.test('the images of all frames are found, whatever else the frames change', async (t) => {
  const layers = [
    aLayer('image', {
      id: 'a',
      src: '{{photo}}',
      x: '{{n}}',
      width: '{{n|range:0,9,1,50}}',
      opacity: '{{n|range:0,9,0,1}}',
    }),
    aLayer('image', { id: 'b', src: `${host}/b{{n}}.png`, visible: '{{on}}' }),
    aLayer('image', { id: 'c', src: `${host}/c.png`, visibleWhen: { variable: 'n', equals: '2' } }),
    aLayer('rect', { id: 'd', x: '{{n}}' }),
  ];
  const animation = framesOf([{ n: '1' }, { n: '1', on: 'false' }, { n: '2' }, { n: '1' }]);
  t.same(sourcesOf({ layers, animation }, 4), [
    `${host}/default.png`,
    `${host}/b1.png`,
    `${host}/b2.png`,
    `${host}/c.png`,
  ]);
  t.same(sourcesOf({ layers }), [`${host}/default.png`, `${host}/b0.png`], 'a still');
  const motion = { type: 'motion', seconds: 2 };
  t.same(sourcesOf({ layers, animation: motion }, 20), [`${host}/default.png`, `${host}/b0.png`]);
  const clock = { until: '{{end}}' };
  const ends = [aVariable('end', 'date', '1970-01-02'), aVariable('photo', 'image', '')];
  const days = aLayer('image', { src: `${host}/{{countdown.days}}.png` });
  const parts = { clock, variables: ends, layers: [days] };
  const setEnds = framesOf([{ end: '1970-01-02' }, { end: '1970-01-04' }]);
  t.same(
    sourcesOf({ ...parts, animation: setEnds }, 2),
    [`${host}/1.png`, `${host}/3.png`],
    'a frame sets what the clock reads',
  );
});

t.test('a layer that a value leaves without a box draws no image', async (t) => {
  const layers = [
    aLayer('image', { id: 'a', src: '{{photo}}', width: '{{below}}' }),
    aLayer('image', { id: 'b', src: `${host}/b.png`, x: '{{below}}' }),
  ];
  const variables = [
    aVariable('below', 'number', '-5'),
    aVariable('photo', 'image', `${host}/default.png`),
  ];
  t.same(sourcesOf({ layers, variables }), [`${host}/b.png`]);
});

t.test('frames that draw too many images are refused at once', async (t) => {
  const layers = Array.from({ length: 40 }, (_, index) =>
    aLayer('image', { id: `i${index}`, src: `${host}/{{n}}/${index}.png` }),
  );
  const animation = framesOf(Array.from({ length: 120 }, (_, index) => ({ n: String(index) })));
  t.throws(() => sourcesOf({ layers, animation }, 120), {
    code: 'BAD_REQUEST',
    message: /more than 1000 different images: ask for fewer frames/,
  });
  t.equal(sourcesOf({ layers, animation }, 25).length, 1000);
});

const itemsMax = 200;
const template = publishedTemplate({
  variables: [
    {
      name: 'items',
      type: 'list',
      fields: [{ name: 'photo', type: 'image', value: '' }],
      value: [{ photo: '' }],
    },
    { name: 'logo', type: 'image', value: '' },
  ],
  layers: [
    { id: 'logo', type: 'image', src: '{{logo}}', x: 0, y: 0, width: 9, height: 9 },
    {
      id: 'row',
      type: 'stack',
      direction: 'row',
      x: 0,
      y: 0,
      width: 99,
      height: 9,
      repeat: { list: 'items', max: itemsMax },
      layers: [
        { id: 'photo', type: 'image', src: '{{item.photo}}', width: 9, height: 9 },
        { id: 'again', type: 'image', src: ' {{item.photo}} ', width: 9, height: 9 },
      ],
    },
  ],
});

/** The values of a link, which count how often the list is read. */
class CountedValues extends Map<string, string> {
  reads = 0;

  override get(name: string): string | undefined {
    if (name === 'items') this.reads += 1;
    return super.get(name);
  }
}

function valuesOf(photos: readonly string[], logo = ''): CountedValues {
  const items = encodeURIComponent(JSON.stringify(photos.map((photo) => ({ photo }))));
  const parameters = parseQuery(`items=${items}&logo=${encodeURIComponent(logo)}`);
  return new CountedValues(resolveVariables(template, parameters, noTables));
}

t.test('an image comes from the layers that draw it and the variables that they bind', (t) => {
  const values = valuesOf(['data:,a', 'data:,b'], 'data:,b');
  const options = defaultOptions({ uid: template.uid, format: undefined }, template);
  const originOf = imageOrigins({ template, options }, values);
  t.same(originOf('data:,a'), {
    layers: ['photo', 'again'],
    variables: ['items'],
    readsTables: false,
  });
  t.same(originOf('data:,b'), {
    layers: ['logo', 'photo', 'again'],
    variables: ['logo', 'items'],
    readsTables: false,
  });
  t.same(originOf('data:,c'), { layers: [], variables: [], readsTables: false });
  t.end();
});

t.test('the items of a link are bound once, however many of their images are asked for', (t) => {
  const photos = Array.from({ length: itemsMax }, (_, index) => `data:,${index}`);
  const values = valuesOf(photos);
  const options = defaultOptions({ uid: template.uid, format: undefined }, template);
  values.reads = 0;
  const originOf = imageOrigins({ template, options }, values);
  t.equal(values.reads, 0, 'nothing is bound before the first is asked for');
  t.ok(photos.every((photo) => originOf(photo).variables.join() === 'items'));
  t.equal(values.reads, 1);
  t.end();
});

t.test(
  'images that fail are replaced in one further round, whatever their defaults show',
  async (t) => {
    const names = Array.from({ length: 9 }, (_, index) => `p${index}`);
    const chain = publishedTemplate({
      onImageError: 'default',
      variables: names.map((name) => ({ name, type: 'image', value: '' })),
      layers: names.map((name, index) => ({
        ...(aLayer('image', { id: name, src: `{{${name}}}` }) as unknown as Layer),
        ...(index === 0 ? {} : { visibleWhen: { variable: `p${index - 1}`, set: false } }),
      })),
    });
    const query = parseQuery(names.map((name) => `${name}=data:,${name}`).join('&'));
    const options = defaultOptions({ uid: chain.uid, format: undefined }, chain);
    const values = resolveVariables(chain, query, noTables);
    const asked: string[] = [];
    const drawingCpus = new Set<ImageRequester['drawingCpu']>();
    const loader = {
      loadImage: async (source: string, { drawingCpu }: ImageRequester) => {
        asked.push(source);
        drawingCpus.add(drawingCpu);
        throw new ImageError('decode', 'is no image');
      },
    };
    const order = new RenderOrder(chain, options, values);
    const { signal } = new AbortController();
    const found = await loadJobImages(order, new Map(), loader, signal);
    t.same(asked, ['data:,p0', 'data:,p1'], 'the image that the first default shows fails as well');
    t.same([...found.failedLayers.keys()], ['p0', 'p1']);
    t.equal(drawingCpus.size, 1, 'the SVG files of both rounds share their time');
    t.not([...drawingCpus][0], undefined);
    t.same([found.values.get('p0'), found.values.get('p1')], ['', 'data:,p1'], 'it is left out');
  },
);

t.test('the images of a link are fresh until the first of them is due', async (t) => {
  const [a, b, c] = ['https://e.com/1', 'https://e.com/2', 'https://e.com/3'] as const;
  const dueMs: Record<string, number> = { [a]: 2000, [b]: 1000, [c]: 3000 };
  const loader = {
    loadImage: async (source: string) => ({ image: {}, freshUntilMs: dueMs[source] }),
  };
  const options = defaultOptions({ uid: template.uid, format: undefined }, template);
  const order = new RenderOrder(template, options, valuesOf([b, c], a));
  const { signal } = new AbortController();
  t.match(await loadJobImages(order, new Map(), loader as never, signal), { freshUntilMs: 1000 });
});
