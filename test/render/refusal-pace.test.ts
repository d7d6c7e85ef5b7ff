import t from 'tap';
import { RefusalPace } from '../../src/render/fallback.ts';

t.test(
  'beyond two hundred in a tenth of a second refusals are answered a second later',
  async (t) => {
    const pace = new RefusalPace();
    const refusal = { status: 503, headers: [] };
    let atOnce = 0;
    let answer = pace.pace(refusal);
    // Two windows at most may begin meanwhile.
    for (; !(answer instanceof Promise) && atOnce < 1000; atOnce += 1) answer = pace.pace(refusal);
    t.ok(atOnce >= 199, `${atOnce} at once`);
    t.ok(answer instanceof Promise);
    t.equal(await answer, refusal);
  },
);
