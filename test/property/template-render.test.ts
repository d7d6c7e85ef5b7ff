import * as fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { renderFormats } from '#wire/render-job.ts';
import { checkTemplate } from '#language/template.ts';
import type { Template } from '#language/schema/template.ts';
import { decodePixels, readImage, renderTemplate } from '../helpers/render.ts';
import { documentsOf, templates, textLayers } from './template-arbitrary.ts';
import { anyText } from './text-arbitrary.ts';
import { anyCodePoint } from '../helpers/code-points.ts';

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

t.test('the generator makes documents that the check takes', async (t) => {
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
});

const valid = (documents: fc.Arbitrary<object>): fc.Arbitrary<Template> =>
  documents.filter((each) => checkTemplate(each).ok).map((each) => each as Template);

const drawn = async (template: Template): Promise<Buffer> =>
  (await decodePixels((await render(template, { images })).bytes)).data;

t.test('every valid template renders in every format at every scale', async (t) => {
  const scales = fc.constantFrom(1 as const, 2 as const, 3 as const);
  const property = fc.asyncProperty(
    valid(templates),
    fc.constantFrom(...renderFormats),
    scales,
    async (template, format, scale) => {
      const { bytes, widthPx, heightPx } = await render(template, { images, format, scale });
      const { width, height } = await decodePixels(bytes);
      const expected = [template.width * scale, template.height * scale];
      t.strictSame([width, height, widthPx, heightPx], [...expected, ...expected]);
    },
  );
  await fc.assert(property, { numRuns: extent(20, 150) });
});

/** A text in any script and look. */
const anyTextLayer = fc
  .tuple(textLayers, fc.array(anyText(12), { minLength: 3, maxLength: 3 }))
  .map(([{ spans, ...layer }, words]) => ({
    ...layer,
    ...(Array.isArray(spans)
      ? { spans: spans.map((span: object, index) => ({ ...span, text: words[index] })) }
      : { text: words.join('') }),
  }));

t.test('every valid text renders', async (t) => {
  const documents = documentsOf(fc.tuple(anyTextLayer));
  const property = fc.asyncProperty(valid(documents), async (template) => {
    t.ok((await drawn(template)).length > 0);
  });
  await fc.assert(property, { numRuns: extent(20, 100) });
});

t.test('no layer makes a hole in an opaque background', async (t) => {
  const property = fc.asyncProperty(valid(templates), async (template) => {
    const data = await drawn({ ...template, background: '#ffffff' });
    t.ok(data.every((value, index) => index % 4 !== 3 || value === 255));
  });
  await fc.assert(property, { numRuns: extent(12, 100) });
});

t.test('no value of a link makes a render throw', async (t) => {
  const odd = ['', '-1', '1e9', 'NaN', '#fff', 'true', 'M0 0L', 'url(#a)', '{{text}}', '<svg>'];
  const value = fc.oneof(
    fc.constantFrom(...odd, '\u0000'),
    fc.string({ unit: anyCodePoint, maxLength: 50 }),
  );
  const values = fc.record({ number: value, boolean: value, color: value, text: value });
  const property = fc.asyncProperty(valid(templates), values, async (template, given) => {
    await render(template, { images, values: given });
    t.pass();
  });
  await fc.assert(property, { numRuns: extent(12, 100) });
});
