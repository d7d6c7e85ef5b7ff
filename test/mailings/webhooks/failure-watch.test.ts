/** When a template begins to fail, and when it works again. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import { createLog } from '../../../src/foundation/log.ts';
import type { TemplateCounts } from '../../../src/store/statistics-store.ts';
import { FailureWatch } from '../../../src/mailings/webhooks/failure-watch.ts';
import type { WebhookEvent } from '../../../src/mailings/webhooks/message.ts';
import { createStores, publishSample } from '../../store/store-fixture.ts';

const minuteMs = 60_000;

/** `images` good answers, and `errors` that no image stands for. */
function counted(images: number, errors: number, degraded = 0): TemplateCounts {
  const counts = {
    images: images + degraded,
    drawn: 0,
    degraded,
    substitutes: 0,
    unmerged: 0,
    corrected: 0,
  };
  return {
    uid: 'hello',
    answers: [{ version: 1, client: 'program', counts }],
    errors: errors === 0 ? new Map() : new Map([['TIMEOUT', errors]]),
  };
}

function startWatch(t: Test) {
  const stores = createStores(t);
  publishSample(stores, 'hello');
  const events: WebhookEvent[] = [];
  const clock = { nowMs: 0 };
  const make = () =>
    new FailureWatch({
      db: stores.db,
      emit: (event) => void events.push(event),
      log: createLog(() => undefined),
      nowMs: () => clock.nowMs,
    });
  return { stores, events, clock, make };
}

t.test('a template fails from a fifth of its answers, recovers below a twentieth', async (t) => {
  const { events, clock, make } = startWatch(t);
  const watch = make();
  const types = () => events.map(({ type }) => type);
  const observe = async (images: number, errors: number): Promise<void> => {
    watch.observe([counted(images, errors)]);
    await watch.settled();
  };
  await observe(0, 19);
  t.same(types(), [], 'nineteen answers are too few to judge');
  clock.nowMs += 11 * minuteMs;
  await observe(81, 19);
  t.same(types(), [], 'the first ones are out of the window');
  await observe(0, 2);
  const figures = { minutes: 10, requests: 102, failed: 21, degraded: 0, errors: { TIMEOUT: 21 } };
  const data = { template: 'hello', ...figures };
  t.same(events, [{ organizationUid: 'org_a', type: 'template.failing', data }]);
  await observe(0, 50);
  clock.nowMs += 10 * minuteMs;
  await observe(90, 10);
  t.equal(events.length, 1, 'between the two rates nothing changes');
  clock.nowMs += 10 * minuteMs;
  await observe(100, 1);
  t.same(types(), ['template.failing', 'template.recovered']);
  await observe(100, 1);
  t.equal(events.length, 2, 'each is sent once');
});

t.test('images without a source image count as failed, and images for errors once', async (t) => {
  const { events, make } = startWatch(t);
  const watch = make();
  const substitutes = {
    images: 10,
    drawn: 0,
    degraded: 0,
    substitutes: 10,
    unmerged: 0,
    corrected: 0,
  };
  watch.observe([
    counted(30, 0, 10),
    {
      uid: 'hello',
      answers: [{ version: 1, client: 'outlook', counts: substitutes }],
      errors: new Map([['TIMEOUT', 10]]),
    },
    { ...counted(0, 50), uid: 'gone' },
  ]);
  await watch.settled();
  t.match(events, [{ type: 'template.failing', data: { requests: 50, failed: 20, degraded: 10 } }]);
  t.equal(events.length, 1);
});

t.test('a restart sends no second event, and the recovery after it is sent', async (t) => {
  const { events, make } = startWatch(t);
  for (const [images, errors] of [
    [0, 50],
    [0, 50],
    [50, 0],
  ] as const) {
    const watch = make();
    watch.observe([counted(images, errors)]);
    await watch.settled();
  }
  t.same(
    events.map(({ type }) => type),
    ['template.failing', 'template.recovered'],
  );
});

t.test('templates that begin to fail together leave turns of the event loop', async (t) => {
  const { stores, events, make } = startWatch(t);
  const uids = ['hello', 'second', 'third', 'fourth'];
  for (const uid of uids.slice(1)) publishSample(stores, uid);
  const watch = make();
  watch.observe(uids.map((uid) => ({ ...counted(0, 50), uid })));
  await nextTurn();
  await nextTurn();
  t.ok(events.length < uids.length, `${events.length} of ${uids.length} in one turn`);
  await watch.settled();
  t.same(
    events.map(({ data }) => data['template']),
    uids,
    'all are sent, in their order',
  );
});
