/** Rows of a proof that share a job: each is proved as in a job of its own. */
import t from 'tap';
import type { RenderJob } from '#wire/render-job.ts';
import { render } from '../../workers/render.ts';
import { validTemplate } from '../helpers/render.ts';

const template = validTemplate({
  format: 1,
  name: 'x',
  width: 200,
  height: 100,
  background: '#ffffff',
  variables: [{ name: 'name', type: 'text', value: 'friend' }],
  layers: [
    {
      id: 'name',
      type: 'text',
      x: 0,
      y: 0,
      width: 120,
      height: 40,
      text: 'Hello {{name}}',
      fontSize: 20,
      overflow: 'ellipsis',
      maxLines: 1,
    },
  ],
});

const jobOf = (names: readonly string[]): RenderJob => {
  const [first = '', ...others] = names;
  const more = others.map((name): [string, string][] => [['name', name]]);
  return {
    templateKey: 'organization:rows:1',
    templateJson: JSON.stringify(template),
    values: new Map([['name', first]]),
    images: [],
    format: 'png',
    quality: 100,
    scale: 1,
    proof: { fileBytesMax: 1_000_000, ...(more.length === 0 ? {} : { more }) },
  };
};

t.test('rows that share a job have the warnings and sizes of a row alone', async (t) => {
  const names = ['Ann', 'Wolfeschlegelsteinhausenbergerdorff', 'A\u{13000}', 'Zoë'];
  const alone: string[][] = [];
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- a process has one job at a time
    const outcome = await render(jobOf([name]));
    if (!outcome.ok) throw new Error(outcome.detail);
    alone.push(outcome.warnings.map(({ code }) => code));
  }
  t.same(alone, [[], ['TEXT_TRUNCATED'], ['GLYPH_MISSING'], []]);
  const outcome = await render(jobOf(names));
  if (!outcome.ok) throw new Error(outcome.detail);
  const together = outcome.moreProofs?.map((row) => row?.warnings.map(({ code }) => code));
  t.same(together, alone.slice(1));
  t.same(
    outcome.moreProofs?.map((row) => row?.proof),
    [{ shrunk: [] }, { shrunk: [] }, { shrunk: [] }],
  );
});
