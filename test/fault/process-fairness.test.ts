/** Expensive renders of one organization beside cheap ones of another, behind the real server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startPool } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';

t.test(
  'expensive renders hold what they may, and another organization starts at once',
  async (t) => {
    const pool = await startPool(t, { processCount: 2, queueMax: 100 });
    const { get, publish, stores } = await startService(t, { pool, timeoutMs: 30_000 });
    stores.organizations.createOrganization('B', 'org_b');
    const released = join(t.testdir(), 'released');
    publish('endless', {}, { waitsFor: released });
    publish('own');
    publish('other', {}, {}, 'org_b');
    t.equal((await get('own?name=first')).status, 200, 'from now on it is known to be cheap');

    const expensive = [1, 2, 3, 4].map((index) => get(`endless?name=${index}`));
    while (pool.queueLength < 3) await new Promise(setImmediate);
    t.equal(pool.busyProcesses, 1, 'their costs are unknown: one process is kept free of them');
    t.equal((await get('other?name=1')).status, 200, 'a first render of another organization');
    t.equal((await get('own?name=second')).status, 200, 'and what is cheap of the same one');
    t.equal(pool.busyProcesses, 1);
    t.equal(pool.queueLength, 3);

    writeFileSync(released, '');
    const answers = await Promise.all(expensive);
    t.same(new Set(answers.map(({ status }) => status)), new Set([200]), 'all of them are drawn');
  },
);
