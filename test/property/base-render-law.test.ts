/** The law of base renders: an image painted and encoded over a base render is, byte for byte, the image drawn whole. */
import * as fc from 'fast-check';
import { Canvas, loadImage } from 'skia-canvas';
import t from 'tap';
import { imageSources } from '#language/bind/layers.ts';
import type { SourceImage } from '#wire/render-job.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import { checkTemplate } from '#language/template.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { listCases, readCase } from '../golden/cases.ts';
import { extent } from '../helpers/extent.ts';
import { drawBothWays, drawInTurn, firstDifference } from '../helpers/both-ways.ts';
import { decodePixels, readImage, validTemplate } from '../helpers/render.ts';
import { templates } from './template-arbitrary.ts';

/** Another value of each type, near the one that is there, so that not everything moves. */
const others: Record<Variable['type'], (value: string) => string> = {
  text: (value) => `${value} Ωg`,
  number: (value) => String(Number(value) * 0.75),
  color: () => '#336699',
  boolean: (value) => String(value !== 'true'),
  image: (value) => value,
  date: () => '2027-01-31',
  list: (text) => (text === '' ? '' : JSON.stringify(JSON.parse(text).slice(1))),
};

function otherValues(template: Template): Record<string, string> {
  const changed = template.variables.map((variable) => [
    variable.name,
    others[variable.type](defaultText(variable)),
  ]);
  return Object.fromEntries(changed) as Record<string, string>;
}

/** Every text of the template becomes a variable, so that base renders meet damage in every kind of layer. */
function withVariables(template: Template): Template {
  const copy = structuredClone(template);
  for (const layer of copy.layers) {
    if (layer.type !== 'text' || layer.text === undefined || layer.text.includes('{{')) continue;
    const name = `law-${layer.id}`;
    copy.variables.push({ name, type: 'text', value: layer.text });
    layer.text = `{{${name}}}`;
  }
  return copy;
}

async function loadImages(
  template: Template,
  values: Record<string, string>,
): Promise<Record<string, SourceImage>> {
  const all = new Map(
    template.variables.map((variable) => [
      variable.name,
      values[variable.name] ?? defaultText(variable),
    ]),
  );
  const images: Record<string, SourceImage> = {};
  for (const source of imageSources(resolveLayers(template, all).layers)) {
    if (source.startsWith('fixture:')) {
      images[source] = await readImage(`test/golden/images/${source.slice(8)}`);
    }
  }
  return images;
}

t.test('a golden case with other values is the same over a base render as whole', async (t) => {
  let compared = 0;
  const every = extent(16, 1);
  for (const name of listCases().filter((_, index) => index % every === 0)) {
    const golden = readCase(name);
    const template = withVariables(validTemplate(golden.template, golden.size));
    const before = { values: {}, images: await loadImages(template, {}) };
    for (const values of [
      otherValues(template),
      ...(golden.values === undefined ? [] : [golden.values]),
    ]) {
      const format = compared % 2 === 0 ? 'png' : 'jpeg';
      const input = { values, images: await loadImages(template, values) };
      const settings = { format, scale: golden.scale ?? 1 } as const;
      const { whole, spliced } = await drawBothWays(template, before, input, settings);
      if (whole === undefined || spliced === undefined) continue;
      compared += 1;
      t.equal(await firstDifference(whole, spliced), -1, name);
    }
  }
  t.ok(compared > 300 / every, `${compared} pairs are drawn over a base render`);
});

/** Letters with marks that stack far over and under them, as the engine's own measure does not tell. */
const stacked = [
  'Z\u0301\u0302\u0303\u0304\u0306\u0307 a\u0323\u0324\u0325\u032D\u032E\u0330lgo',
  'f',
  'g\u0331\u0331\u0331\u0331\u0331\u0331 \u0301\u0301\u0301\u0301\u0301\u0301',
  '',
  'ซิ้ นี้ ปู่',
];

t.test(
  'marks that stack on letters stay over none of many images over one base render',
  async (t) => {
    const golden = validTemplate(readCase('text/marks-stacked').template);
    const onPath = validTemplate({
      ...golden,
      layers: [
        {
          id: 'path',
          type: 'text',
          x: 20,
          y: 100,
          width: 160,
          height: 80,
          text: '{{zalgo}} \uFDFD',
          fontSize: 30,
          path: 'M0 40Q80 0 160 40',
        },
      ],
    });
    const large = structuredClone(golden);
    for (const layer of large.layers) {
      if (layer.type === 'text')
        Object.assign(layer, { fontSize: 44, stroke: { color: '#f00', width: 1 } });
    }
    let compared = 0;
    const [first] = golden.variables;
    const zalgo = first === undefined ? '' : defaultText(first);
    for (const template of [golden, large, onPath]) {
      for (const text of [zalgo, 'f']) {
        const values = [...stacked, zalgo, 'f', ...stacked.toReversed()];
        const variables = [{ name: 'zalgo', type: 'text' as const, value: text }];
        const drawn = await drawInTurn(
          { ...template, variables },
          { values: {}, images: {} },
          values.map((value) => ({ values: { zalgo: value }, images: {} })),
          { format: 'png', scale: 1 },
        );
        for (const [index, { whole, spliced }] of drawn.entries()) {
          if (whole === undefined || spliced === undefined) continue;
          compared += 1;
          t.equal(await firstDifference(whole, spliced), -1, `${text}, then ${values[index]}`);
        }
      }
    }
    t.ok(compared > 50, `${compared} images are drawn over a base render`);
  },
);

/** Transparent grounds and layers, of which an image is kept with alpha and in many colours. */
const grounds = fc.constantFrom('#fff', 'none', '#12345680');
const seeThrough: Template['layers'][] = [
  [
    {
      id: 'law-gradient',
      type: 'text',
      x: 4,
      y: 4,
      width: 90,
      height: 40,
      text: 'Hi {{text}}!',
      fontSize: 14,
      fill: {
        gradient: 'linear',
        stops: [
          { offset: 0, color: '#f00' },
          { offset: 1, color: '#00f8' },
        ],
      },
      shadow: { x: 2, y: 3, blur: 6, color: '#000a' },
    },
  ],
  [
    { id: 'law-photo', type: 'image', x: 30, y: 10, width: 60, height: 60, src: 'photo' },
    {
      id: 'law-rotated',
      type: 'text',
      x: 10,
      y: 20,
      width: 90,
      height: 40,
      rotation: 30,
      text: '{{text}}',
      fontSize: 20,
      fill: '#0a78',
      stroke: { color: '#f80', width: 3 },
    },
  ],
];

/** Languages and times of the links to one template. */
const locales = fc.array(
  fc.record({
    lang: fc.constantFrom(undefined, undefined, 'de', 'ar'),
    timeMs: fc.constantFrom(undefined, Date.UTC(2026, 10, 23), Date.UTC(2026, 10, 27)),
  }),
  { minLength: 6, maxLength: 6 },
);

t.test(
  'of a generated template many images in turn are the same over one base render as whole',
  async (t) => {
    const photo = await readImage('test/golden/images/photo.jpg');
    const ring = await readImage('test/golden/images/ring.png');
    const images = { photo, ring };
    const values = fc.record(
      {
        number: fc.constantFrom('1', '0.5', '60', '-3'),
        boolean: fc.constantFrom('true', 'false'),
        color: fc.constantFrom('#0a7', '#fff0', '#80808080'),
        text: fc.constantFrom('Grüße', '', 'x'.repeat(90), 'שלום 123', 'a\nb', 'Zoë'),
        photo: fc.constantFrom('photo', 'ring'),
        day: fc.constantFrom('2026-11-24', '2026-11-23T18:30+01:00', 'soon'),
      },
      { requiredKeys: [] },
    );
    let compared = 0;
    const runs = extent(8, 40);
    const property = fc.asyncProperty(
      templates,
      grounds,
      fc.constantFrom([], ...seeThrough),
      fc.array(values, { minLength: 4, maxLength: 6 }),
      fc.constantFrom('png' as const, 'png' as const, 'jpeg' as const),
      fc.constantFrom(1 as const, 2 as const, 3 as const),
      fc.constantFrom(30, 85, 92),
      locales,
      async (generated, background, added, inTurn, format, scale, quality, inLocales) => {
        const layers = [...(generated['layers'] as Template['layers']), ...added];
        const check = checkTemplate({ ...generated, background, layers });
        fc.pre(check.ok);
        const [before = {}, ...later] = inTurn;
        const drawn = await drawInTurn(
          check.template,
          { values: before, images },
          later.map((each, index) => ({ values: each, images, ...inLocales[index] })),
          { format, scale, quality },
        );
        for (const { whole, spliced } of drawn) {
          if (whole === undefined || spliced === undefined) continue;
          compared += 1;
          t.equal(await firstDifference(whole, spliced), -1, 'no byte differs');
        }
      },
    );
    await fc.assert(property, { numRuns: runs });
    t.ok(compared > (runs * 2) / 3, `${compared} images are drawn over a base render`);
  },
);

/** Readers of one campaign whose names have nothing in common. */
const readers = ['Amanda', 'Maximilian Secret', 'Bo', 'Al', 'Wilhelmina Top', 'Jo', 'Cy', 'Bob'];

t.test('no reader’s name stands in the image of another', async (t) => {
  let compared = 0;
  for (const layers of seeThrough) {
    const document = {
      format: 1,
      name: 'transparent',
      width: 120,
      height: 80,
      background: 'none',
      variables: [{ name: 'text', type: 'text', value: 'nobody' }],
      layers,
    };
    const images = { photo: await readImage('test/golden/images/photo.jpg') };
    const drawn = await drawInTurn(
      validTemplate(document),
      { values: {}, images },
      readers.map((text) => ({ values: { text }, images })),
      { format: 'png', scale: 1 },
    );
    for (const [index, { whole, spliced }] of drawn.entries()) {
      // Long names change more than half of so small an image.
      if (whole === undefined || spliced === undefined) continue;
      compared += 1;
      t.equal(await firstDifference(whole, spliced), -1, readers[index] ?? '');
    }
  }
  t.ok(compared > 8, `${compared} images are drawn over a base render`);
});

async function decodeBySkia(file: Uint8Array): Promise<Buffer> {
  const image = await loadImage(Buffer.from(file));
  const canvas = Object.assign(new Canvas(image.width, image.height), { gpu: false });
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toBufferSync('raw');
}

t.test('a spliced file decodes bit for bit the same in libvips and in skia', async (t) => {
  const name = 'shape/progress';
  for (const format of ['png', 'jpeg'] as const) {
    const template = withVariables(validTemplate(readCase(name).template));
    const before = { values: {}, images: {} };
    const after = { values: { little: '9' }, images: {} };
    const settings = { format, scale: 1 } as const;
    const { spliced = new Uint8Array() } = await drawBothWays(template, before, after, settings);
    const canvas = await decodeBySkia(spliced);
    const { data } = await decodePixels(spliced);
    t.ok(canvas.equals(data), format);
  }
});
