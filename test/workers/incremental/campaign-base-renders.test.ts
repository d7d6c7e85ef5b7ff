/** Campaigns of one template that differ in more than texts do not evict each other's base renders. */
import t from 'tap';
import type { RenderJob } from '#wire/render-job.ts';
import { textLayer, textVariable } from '../../e2e/published.ts';

// The fonts must be there before the worker's modules load the paint engine, hence the late import.
const { withDrawings } = await import('../../helpers/render.ts');
const { renderJob } = await import('../../../workers/render.ts');

const template = {
  format: 1,
  name: 'colours',
  width: 400,
  height: 240,
  background: '{{ground}}',
  variables: [textVariable('name', 'Anna'), { name: 'ground', type: 'color', value: '#ffffff' }],
  layers: [textLayer('{{name}}')],
};

async function drawnAs(format: 'png' | 'jpeg', ground: string, name: string): Promise<string> {
  const job: RenderJob = {
    templateKey: 'colours',
    templateJson: JSON.stringify(template),
    values: new Map([
      ['name', name],
      ['ground', ground],
    ]),
    images: [],
    format,
    quality: 85,
    scale: 1,
  };
  const { drawn } = await renderJob(job);
  return drawn;
}

t.test(
  'each colour of a campaign, and the default, is drawn over its own base render',
  async (t) => {
    for (const format of ['png', 'jpeg'] as const) {
      for (const ground of ['#aa0000', '#00aa00', '#ffffff']) {
        for (const name of ['first', 'second', 'third']) await drawnAs(format, ground, name);
        t.equal(await drawnAs(format, ground, 'fourth'), 'plan', `${format}, ${ground}`);
      }
    }
  },
);

t.test('a job that comes again with its drawings counts once', async (t) => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7"><circle cx="3" cy="3" r="2"/></svg>';
  const art = { id: 'art', type: 'svg', x: 300, y: 10, width: 77, height: 77, svg };
  const job = (name: string): RenderJob => ({
    templateKey: 'drawings',
    templateJson: JSON.stringify({ ...template, layers: [art, ...template.layers] }),
    values: new Map([
      ['name', name],
      ['ground', '#ffffff'],
    ]),
    images: [],
    format: 'png',
    quality: 85,
    scale: 1,
  });
  const drawn: string[] = [];
  for (const name of ['first', 'second']) {
    drawn.push((await withDrawings(job(name), renderJob)).drawn);
  }
  t.same(drawn, ['whole', 'plan']);
});
