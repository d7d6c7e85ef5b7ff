/** The law of base renders: an image painted and encoded over a base render is, byte for byte, the image drawn whole. */
import * as fc from 'fast-check';
import { Canvas, loadImage } from 'skia-canvas';
import t from 'tap';
import { checkTemplate } from '#language/template.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { fixturesOf, listCases, readCase } from '../golden/cases.ts';
import { extent } from '../helpers/extent.ts';
import { drawInTurn, requireSame } from '../helpers/both-ways.ts';
import { decodePixels, readImage, validTemplate, valuesOf } from '../helpers/render.ts';
import { gradientText, turnedText } from './transparent-layers.ts';
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

function otherValues({ variables }: Template): Record<string, string> {
  const changed = (variable: Variable) => others[variable.type](defaultText(variable));
  return Object.fromEntries(variables.map((each) => [each.name, changed(each)]));
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

t.test('a golden case with other values is the same over a base render as whole', async (t) => {
  let compared = 0;
  const every = extent(16, 1);
  for (const name of listCases().filter((_, index) => index % every === 0)) {
    const golden = readCase(name);
    const template = withVariables(validTemplate(golden.template, golden.size));
    const before = { values: {}, images: await fixturesOf(template, valuesOf(template)) };
    for (const values of [otherValues(template), golden.values]) {
      if (values === undefined) continue;
      const format = compared % 2 === 0 ? 'png' : 'jpeg';
      const input = { values, images: await fixturesOf(template, valuesOf(template, values)) };
      const settings = { format, scale: golden.scale ?? 1 } as const;
      compared += await requireSame(t, await drawInTurn(template, before, [input], settings), name);
    }
  }
  t.ok(compared > 300 / every, `${compared} pairs are drawn over a base render`);
});

/** Transparent grounds and layers, of which an image is kept with alpha and in many colours. */
const grounds = fc.constantFrom('#fff', 'none', '#12345680');
const seeThrough: Template['layers'][] = [[gradientText('Hi {{text}}!')], turnedText('{{text}}')];

/** Languages and times of the links to one template. */
const locales = fc.array(
  fc.record({
    lang: fc.constantFrom(undefined, undefined, 'de', 'ar'),
    timeMs: fc.constantFrom(undefined, Date.UTC(2026, 10, 23), Date.UTC(2026, 10, 27)),
  }),
  { minLength: 6, maxLength: 6 },
);

t.test('images of a generated template are the same over one base render as whole', async (t) => {
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
      compared += await requireSame(t, drawn, 'no byte differs');
    },
  );
  await fc.assert(property, { numRuns: runs });
  t.ok(compared > (runs * 2) / 3, `${compared} images are drawn over a base render`);
});

async function decodeBySkia(file: Uint8Array): Promise<Buffer> {
  const image = await loadImage(Buffer.from(file));
  const canvas = Object.assign(new Canvas(image.width, image.height), { gpu: false });
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toBufferSync('raw');
}

t.test('a spliced file decodes bit for bit the same in libvips and in skia', async (t) => {
  const name = 'shape/progress';
  const imageOf = (values: Record<string, string>) => ({ values, images: {} });
  for (const format of ['png', 'jpeg'] as const) {
    const template = withVariables(validTemplate(readCase(name).template));
    const [before, after] = [imageOf({}), imageOf({ little: '9' })];
    const [drawn] = await drawInTurn(template, before, [after], { format, scale: 1 });
    const { spliced = new Uint8Array() } = drawn ?? {};
    const { data } = await decodePixels(spliced);
    t.ok((await decodeBySkia(spliced)).equals(data), format);
  }
});
