/** Of threads that draw the same template only one makes its plan at a time. */
import t from 'tap';
import { PlanTurns } from '../../src/render/plan-turns.ts';
import { orderJob } from '../fixtures/render-pool.ts';

t.test('a second job of a kind makes no plan until the first has ended', (t) => {
  const turns = new PlanTurns();
  const job = orderJob({});
  const first = turns.take(job);
  t.equal(first.job.planning, undefined);
  const second = turns.take(job);
  t.equal(second.job.planning, 'never');
  second.giveBack();
  t.equal(turns.take(job).job.planning, 'never', 'who had no turn gives none back');
  t.equal(turns.take({ ...job, scale: 2 }).job.planning, undefined, 'other kinds have their own');
  first.giveBack();
  t.equal(turns.take(job).job.planning, undefined);
  t.equal(turns.take({ ...job, planning: 'now' }).job.planning, 'now', 'a warm-up is no reader');
  t.end();
});
