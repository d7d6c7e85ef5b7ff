import t from 'tap';
import { manualSendsMax, ManualSends } from '../../../src/mailings/webhooks/manual-sends.ts';
import { startOrganizationApi } from '../../fixtures/organization-api.ts';
import { startPool } from '../../fixtures/render-pool.ts';

t.test('pings and retries of an organization are limited together', async (t) => {
  const { call, otherKey } = await startOrganizationApi(t, await startPool(t));
  const make = async (key?: string): Promise<string> => {
    const body = { url: 'https://127.0.0.1/' };
    const made = await call('POST', '/v1/webhooks', { body, ...(key && { key }) });
    return `/v1/webhooks/${(made.body as { id: string }).id}`;
  };
  const [webhook, other] = [await make(), await make(otherKey)];
  const { body } = await call('POST', `${webhook}/ping`);
  const retry = `${webhook}/deliveries/${(body as { id: string }).id}/retry`;
  for (let sent = 1; sent < manualSendsMax; sent += 1) {
    t.equal((await call('POST', sent % 2 === 0 ? `${webhook}/ping` : retry)).status, 202);
  }
  for (const path of [`${webhook}/ping`, retry]) {
    const refused = await call('POST', path);
    t.match(refused, {
      status: 429,
      body: { error: /has sent 30 pings and retries within a minute/ },
    });
    const seconds = Number(refused.headers.get('retry-after'));
    t.ok(seconds > 0 && seconds <= 60);
  }
  t.equal((await call('POST', `${other}/ping`, { key: otherKey })).status, 202);
});

t.test('the limit of pings begins again after a minute', async (t) => {
  let nowMs = 0;
  const sends = new ManualSends(() => nowMs);
  for (let sent = 0; sent < manualSendsMax; sent += 1) sends.take('org_a');
  nowMs = 59_000;
  t.throws(() => sends.take('org_a'), { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 1 });
  nowMs = 60_000;
  t.doesNotThrow(() => sends.take('org_a'));
});
