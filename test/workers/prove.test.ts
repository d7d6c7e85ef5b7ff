/** Rows of a proof that share a job: each is proved as in a job of its own. */
import t from 'tap';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';
import { renderTemplate, validTemplate } from '../helpers/render.ts';

const text = { width: 120, height: 40, text: 'Hello {{name}}', fontSize: 20 };
const template = validTemplate(
  aTemplate({
    background: '#ffffff',
    variables: [aVariable('name', 'text', 'friend')],
    layers: [aLayer('text', { ...text, overflow: 'ellipsis', maxLines: 1 })],
  }),
);

const prove = ([name = '', ...others]: readonly string[]) => {
  const more = others.map((other): [string, string][] => [['name', other]]);
  const proof = { fileBytesMax: 1_000_000, ...(more.length === 0 ? {} : { more }) };
  return renderTemplate(template, { values: { name }, quality: 100, proof });
};

t.test('rows that share a job have the warnings and sizes of a row alone', async (t) => {
  const names = ['Ann', 'Wolfeschlegelsteinhausenbergerdorff', 'A\u{13000}', 'Zoë'];
  const alone: string[][] = [];
  for (const name of names) {
    const { warnings } = await prove([name]);
    alone.push(warnings.map(({ code }) => code));
  }
  t.same(alone, [[], ['TEXT_TRUNCATED'], ['GLYPH_MISSING'], []]);
  const { moreProofs = [] } = await prove(names);
  const together = moreProofs.map((row) => row?.warnings.map(({ code }) => code));
  t.same(together, alone.slice(1));
  for (const row of moreProofs) t.same(row?.proof, { shrunk: [] });
});
