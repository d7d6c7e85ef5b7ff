/** A campaign waits for processors that links have taken, and not for a render that takes too long by itself. */
import t from 'tap';
import { patiently } from '../../../src/mailings/campaigns/renderer.ts';
import { deadlineError } from '../../../src/foundation/deadline.ts';
import { lostError, RenderLostError } from '../../../src/scheduling/hosts/lost-render.ts';

t.test('a job whose deadline has passed is done again', async (t) => {
  let attempts = 0;
  const result = await patiently(async () => {
    attempts += 1;
    if (attempts === 1) throw deadlineError();
    return attempts;
  });
  t.equal(result, 2);
});

t.test('a render that is lost by its own time is not done again', async (t) => {
  let attempts = 0;
  const work = async (): Promise<never> => {
    attempts += 1;
    throw lostError(new RenderLostError('cpu', 'too long'));
  };
  await t.rejects(patiently(work), { code: 'TIMEOUT', reason: 'lost' });
  t.equal(attempts, 1);
});
