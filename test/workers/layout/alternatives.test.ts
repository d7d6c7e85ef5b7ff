/** A text with alternatives draws the first that fits its box, in the layout and in the report. */
import * as fc from 'fast-check';
import t from 'tap';
import { extent } from '../../helpers/extent.ts';
import type { Template } from '#language/schema/template.ts';
import type { LayerReport } from '#wire/render-job.ts';
import { aLayer, aTemplate, aVariable, problemsOf } from '../../fixtures/template-documents.ts';
import { renderTemplate, validTemplate } from '../../helpers/render.ts';

const texts = ['Welcome back, {{name}}!', 'Welcome, {{name}}!', 'Hi {{name}}!', 'Hi!'] as const;

function templateOf(properties: Record<string, unknown>): Template {
  const [text, ...alternatives] = texts;
  const layer = { text, alternatives, width: 180, height: 30, fontSize: 18, ...properties };
  return validTemplate(
    aTemplate({
      width: 200,
      height: 200,
      variables: [{ ...aVariable('name', 'text', 'Jo'), maxLength: 60 }],
      layers: [aLayer('text', layer)],
    }),
  );
}

/** What the report says of the text. */
async function drawn(
  name: string,
  properties: Record<string, unknown> = {},
): Promise<NonNullable<LayerReport['text']>> {
  const template = templateOf(properties);
  const { report } = await renderTemplate(template, { values: { name }, wantsReport: true });
  const text = report?.[0]?.text;
  if (text === undefined) throw new Error('a text is reported');
  return text;
}

t.test('every overflow has the same choice, and the last text follows it', async (t) => {
  for (const overflow of ['shrink', 'grow', 'ellipsis', 'clip', 'visible']) {
    t.match(await drawn('Jo', { overflow }), { text: 'Welcome back, Jo!' }, overflow);
    t.match(await drawn('Maximilian', { overflow }), { text: 'Hi Maximilian!' }, overflow);
    t.match(await drawn('Jo', { overflow, width: 8, height: 12 }), { text: 'Hi!' }, overflow);
  }
});

t.test('what is drawn fits, if any of the texts does', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60 }), async (name) => {
      const { overflow, fontSize, text } = await drawn(name);
      t.ok(overflow === 'none' && fontSize === 18, text);
    }),
    { numRuns: extent(8, 30) },
  );
});

t.test('an alternative that is too long or binds nothing is refused', async (t) => {
  const problems = (alternatives: unknown): string[] =>
    problemsOf(aTemplate({ layers: [aLayer('text', { text: 'Hi', alternatives })] }));
  t.same(problems(['Hello']), []);
  t.match(problems(['a', 'x'.repeat(2501)]), [
    /layers\[0\]\.alternatives\[1\] has 2501 characters/,
  ]);
  t.match(problems(['{{nobody}}']), [/layers\[0\]\.alternatives\[0\] binds {{nobody}}/]);
  t.match(problems([]), [/layers\[0\]\.alternatives .*1 to 4 texts/]);
});
