import * as fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { renderFormats } from '#wire/render-job.ts';
import { checkTemplate } from '#language/template.ts';
import type { Template } from '#language/schema/template.ts';
import { decodePixels, readImage, renderTemplate } from '../helpers/render.ts';
import { templates } from './template-arbitrary.ts';

/** Images that cost too much are refused, and nothing else is: the law of costs has a test of its own. */
const render: typeof renderTemplate = async (template, options) =>
  renderTemplate(template, options).catch((error: unknown) => {
    fc.pre(!(error instanceof Error && error.name === 'TooExpensiveError'));
    throw error;
  });

const images = {
  photo: await readImage('test/golden/images/photo.jpg'),
  ring: await readImage('test/golden/images/ring.png'),
};

t.test('the generator makes documents that the check takes', (t) => {
  let refused = 0;
  const documents = fc.sample(templates, 200);
  for (const document of documents) {
    const check = checkTemplate(document);
    if (check.ok) continue;
    refused += 1;
    // What it cannot know: how much painting or layout is too much.
    t.match(
      check.problems[0]?.message,
      /^cost |^take up to \d+ ms to lay out /,
      JSON.stringify(check.problems[0]),
    );
  }
  t.ok(refused < documents.length / 4, `${refused} of ${documents.length} are refused`);
  t.end();
});

t.test('every valid template renders in every format at every scale', async (t) => {
  const scales = fc.constantFrom(1 as const, 2 as const, 3 as const);
  const property = fc.asyncProperty(
    templates,
    fc.constantFrom(...renderFormats),
    scales,
    async (document, format, scale) => {
      fc.pre(checkTemplate(document).ok);
      const template = document as unknown as Template;
      const { bytes, widthPx, heightPx } = await render(template, {
        images,
        format,
        scale,
      });
      const { width, height } = await decodePixels(bytes);
      const expected = [template.width * scale, template.height * scale];
      t.strictSame([width, height, widthPx, heightPx], [...expected, ...expected]);
    },
  );
  await fc.assert(property, { numRuns: extent(20, 150) });
});

t.test('no layer makes a hole in an opaque background', async (t) => {
  const property = fc.asyncProperty(templates, async (document) => {
    fc.pre(checkTemplate(document).ok);
    const template = { ...document, background: '#ffffff' } as unknown as Template;
    const { bytes } = await render(template, { images });
    const { data } = await decodePixels(bytes);
    let clear = 0;
    for (let index = 3; index < data.length; index += 4) if (data[index] !== 255) clear += 1;
    t.strictSame(clear, 0);
  });
  await fc.assert(property, { numRuns: extent(12, 100) });
});

t.test('the same job gives the same pixels', async (t) => {
  const property = fc.asyncProperty(templates, async (document) => {
    fc.pre(checkTemplate(document).ok);
    const template = document as unknown as Template;
    const draw = async (): Promise<Buffer> =>
      (await decodePixels((await render(template, { images })).bytes)).data;
    t.ok((await draw()).equals(await draw()));
  });
  await fc.assert(property, { numRuns: extent(8, 60) });
});

t.test('no value of a link makes a render throw', async (t) => {
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '-1',
      '1e9',
      'NaN',
      '#fff',
      'true',
      'M0 0L',
      'url(#a)',
      '{{text}}',
      '<svg>',
      '\u0000',
    ),
    fc.string({ unit: 'binary', maxLength: 50 }),
  );
  const values = fc.record({ number: value, boolean: value, color: value, text: value });
  const property = fc.asyncProperty(templates, values, async (document, given) => {
    fc.pre(checkTemplate(document).ok);
    await render(document as unknown as Template, { images, values: given });
    t.pass();
  });
  await fc.assert(property, { numRuns: extent(12, 100) });
});
