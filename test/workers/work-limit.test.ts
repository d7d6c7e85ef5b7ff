/** Counts decide whether a render is too expensive; its measured CPU time only, whether it is too slow now. */
import t from 'tap';
import { templateLimits } from '#language/limits/template-limits.ts';
import {
  checkLayout,
  checkWork,
  endWork,
  requireMs,
  startWork,
  TooExpensiveError,
  TooSlowError,
} from '../../workers/work-limit.ts';

const { renderMsMax, longRenderMsMax } = templateLimits;

t.afterEach(endWork);

t.test('an operation that fits no render is too expensive at any moment', async (t) => {
  for (const limit of [
    {},
    { spentMs: renderMsMax },
    { msMax: longRenderMsMax },
    { spentMs: renderMsMax, msMax: longRenderMsMax },
  ]) {
    startWork(limit);
    t.throws(() => requireMs(renderMsMax, 'paint'), { name: 'TooExpensiveError' });
  }
});

t.test('one that is late after others is too slow, unless the render is long', async (t) => {
  const spentMs = renderMsMax - 200;
  startWork({ spentMs });
  t.throws(() => requireMs(500, 'paint'), {
    name: 'TooSlowError',
    message: /to paint, \d+ ms are/,
  });
  startWork({ spentMs, msMax: longRenderMsMax });
  t.doesNotThrow(() => requireMs(500, 'paint'));
});

t.test('a render and its layout end at the limit of the render, as too slow', async (t) => {
  startWork({ spentMs: renderMsMax + 1, msMax: longRenderMsMax });
  t.doesNotThrow(checkWork);
  t.doesNotThrow(() => checkLayout('text'), 'time before a layout is not that of the layout');
  startWork({ spentMs: longRenderMsMax + 1, msMax: longRenderMsMax });
  t.throws(checkWork, {
    name: 'TooSlowError',
    message: `takes more than ${longRenderMsMax} ms of processor time to draw`,
  });
  t.ok(new TooSlowError('') instanceof TooExpensiveError, 'so that frames are left out for both');
});
