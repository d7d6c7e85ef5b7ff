/** A version may have some renders above the usual CPU time, and then none until its window is over. */
import t from 'tap';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { RenderOutcome } from '#wire/render-job.ts';
import { LongRenders } from '../../src/scheduling/long-renders.ts';
import { orderJob } from '../fixtures/render-pool.ts';

const { renderMsMax, longRenderMsMax } = templateLimits;
const jobOf = (templateKey: string) => ({ ...orderJob({}), templateKey });
const tookMs = (cpuMs: number): RenderOutcome => ({
  ok: false,
  code: 'TOO_SLOW',
  detail: 'takes too long',
  cpuMs,
});

t.test('three renders of a version may be long, and then none', async (t) => {
  const renders = new LongRenders();
  const job = jobOf('org:1');
  for (let count = 0; count < 3; count += 1) {
    t.equal(renders.allow(job).msMax, longRenderMsMax);
    renders.note(job, tookMs(renderMsMax));
    t.equal(renders.allow(job).msMax, longRenderMsMax, 'one within the limit is not long');
    renders.note({ ...job, spentMs: 100 }, tookMs(renderMsMax));
  }
  t.equal(renders.allow(job).msMax, undefined);
  t.equal(renders.allow(jobOf('org:2')).msMax, longRenderMsMax, 'another version');
});

t.test('all previews of an organization count together', async (t) => {
  const renders = new LongRenders();
  for (const name of ['a', 'b', 'c'])
    renders.note(jobOf(`org:preview:${name}`), tookMs(renderMsMax + 1));
  t.equal(renders.allow(jobOf('org:preview:d')).msMax, undefined);
  t.equal(renders.allow(jobOf('org:1')).msMax, longRenderMsMax);
});
