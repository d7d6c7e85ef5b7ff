/** Of threads that draw the same template only one makes its plan at a time, and each of them makes one. */
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { RenderJob } from '#shared/render-job.ts';
import { textLayer, textVariable } from '../../e2e/published.ts';
import { takePlanTurn } from '../../../workers/plan/plan-turns.ts';
import { createPool, within } from '../../fixtures/render-pool.ts';

const nowMs = 1_700_000_000_000;

t.test('a turn is one thread’s until it is given back', (t) => {
  const turns = new Uint32Array(8);
  const giveBack = takePlanTurn('a', turns, nowMs);
  t.equal(takePlanTurn('a', turns, nowMs + 5000), undefined);
  giveBack?.();
  t.ok(takePlanTurn('a', turns, nowMs + 5000));
  t.end();
});

t.test('keys have turns of their own', (t) => {
  const turns = new Uint32Array(256);
  t.ok(takePlanTurn('a', turns, nowMs));
  t.ok(takePlanTurn('b', turns, nowMs));
  t.end();
});

t.test('a turn that a thread took with it when it died is free after 10 s', (t) => {
  const turns = new Uint32Array(8);
  const lost = takePlanTurn('a', turns, nowMs);
  t.ok(takePlanTurn('a', turns, nowMs + 11_000));
  lost?.();
  t.equal(takePlanTurn('a', turns, nowMs + 12_000), undefined, 'and is not given back twice');
  t.end();
});

t.test('each thread makes its plan while none of them ever rests', async (t) => {
  const workerFile = new URL('../../../workers/render.ts', import.meta.url);
  const pool = createPool(t, { filename: fileURLToPath(workerFile), threads: 2 });
  const template = {
    format: 1,
    name: 'steady',
    width: 320,
    height: 160,
    variables: [textVariable('name', 'Anna')],
    layers: [textLayer('{{name}}')],
  };
  const job: RenderJob = {
    templateKey: 'steady',
    templateJson: JSON.stringify(template),
    values: [],
    images: [],
    format: 'jpeg',
    quality: 85,
    scale: 1,
  };
  // Thousands of renders: what happens once in a while happens in this time.
  const rendersMax = 3000;
  let asked = 0;
  let plans = 0;
  const ask = async (): Promise<void> => {
    while (asked < rendersMax && plans < 2) {
      asked += 1;
      const values: RenderJob['values'] = [['name', `Reader ${asked}`]];
      const { outcome } = await pool.run({ ...job, values }, within(20_000));
      if (outcome.ok && outcome.plan.isKept === true) plans += 1;
    }
  };
  await Promise.all([ask(), ask(), ask(), ask()]);
  t.equal(plans, 2, `of ${asked} renders`);
});
