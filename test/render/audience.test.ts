/** Failures of the service itself, for readers and programs: a bug, a deadline that passes, a version in quarantine. */
import t from 'tap';
import type { Test } from 'tap';
import { startPool } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';
import type { TestService } from '../fixtures/render-service.ts';
import type { WorkerOrder } from '../fixtures/render-worker.ts';
import { checkAudience, requesters } from '../helpers/audience.ts';
import { request } from '../e2e/request.ts';

/** The samples of the first start. */
const sampleUids = [
  'welcome-banner',
  'product-card',
  'event-ticket',
  'quote',
  'countdown-banner',
  'hello',
];

/** Publishes each sample for a worker that does as ordered. */
function publishSamples(service: TestService, order: WorkerOrder): void {
  for (const uid of sampleUids) {
    const sample = service.samples.find(uid);
    if (sample === undefined) throw new Error(`There is no sample ${uid}.`);
    service.publish(uid, { ...sample.document, name: JSON.stringify(order) });
  }
}

async function askAll(
  t: Test,
  { port }: TestService,
  error: { status: number; code: string },
): Promise<void> {
  for (const uid of sampleUids) {
    for (const requester of [...requesters, ...requesters.toReversed()]) {
      const { headers } = requester;
      const path = `/v1/render/${uid}`;
      const answer = await request(port, path, { headers, agent: false });
      await checkAudience(t, requester, answer, error, path);
      const method = 'HEAD';
      const headed = await request(port, path, { headers, method, agent: false });
      t.equal(headed.status, answer.status, `HEAD of ${requester.name}`);
    }
  }
}

t.test('a bug', async (t) => {
  const service = await startService(t, { pool: await startPool(t) });
  publishSamples(service, { answer: { ok: false, code: 'INTERNAL', detail: 'a bug' } });
  await askAll(t, service, { status: 500, code: 'INTERNAL' });
  t.match(service.records[0], { status: 200, code: 'INTERNAL', detail: 'a bug' });
});

t.test('a deadline that passes', async (t) => {
  const pool = await startPool(t, { processCount: 2 });
  const service = await startService(t, { pool, timeoutMs: 40 });
  publishSamples(service, { delayMs: 120 });
  const [uid = ''] = sampleUids;
  for (const requester of requesters) {
    const path = `/v1/render/${uid}?name=${encodeURIComponent(requester.name)}`;
    const answer = await request(service.port, path, { headers: requester.headers, agent: false });
    // A deadline that nobody could keep is refused from the second time on.
    const isLate = (answer.headers['x-render-error'] ?? answer.text).includes('TIMEOUT');
    const error = isLate ? { status: 504, code: 'TIMEOUT' } : { status: 503, code: 'OVERLOADED' };
    await checkAudience(t, requester, answer, error, path);
  }
});

t.test('a version in quarantine', async (t) => {
  const service = await startService(t, { pool: await startPool(t) });
  for (const uid of sampleUids) service.publish(uid, { name: '{"exits":true}', width: 40 });
  // All have one document: two losses quarantine it.
  for (const name of ['1', '2']) await service.get(`hello?name=${name}`);
  await askAll(t, service, { status: 503, code: 'QUARANTINED' });
});
