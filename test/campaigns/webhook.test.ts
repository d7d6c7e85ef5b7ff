/** The end of a run reaches the webhooks of its organization, with numbers and without a value of a row. */
import { join } from 'node:path';
import t from 'tap';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';
import { createCampaign, key, waitForRun } from './campaign-client.ts';

t.test('a finished proof and a failed run are sent', async (t) => {
  const receiver = await startReceiver(t);
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
    publish('card', { variables: [textVariable('name', 'you')], layers: [textLayer('{{name}}')] });
    publish('signed', { linkAuth: 'signed', variables: [textVariable('name', 'you')] });
  });
  const service = await startService(t, { dataDirectory, origins: [receiver] });
  const body = JSON.stringify({ url: receiver.url });
  await service.get('/v1/webhooks', { method: 'POST', headers: key, body });
  const list = 'name,email\r\nAmanda,amanda@example.com\r\n*|FNAME|*,wei@example.com\r\n';

  const { body: proved } = await createCampaign(service, 'card', 'proof', list);
  await waitForRun(service, proved.id);
  await receiver.hasReceived(1);
  const finished = receiver.received[0]?.body ?? '';
  t.match(JSON.parse(finished), {
    type: 'campaign.finished',
    data: { id: proved.id, template: 'card', version: 1, mode: 'proof', rows: 2, done: 2 },
  });
  t.match(JSON.parse(finished), { data: { counts: { fine: 1, problems: 1, UNMERGED: 1 } } });
  t.notMatch(finished, /amanda|FNAME/i);

  const { body: refused } = await createCampaign(service, 'signed', 'links', list);
  t.equal((await waitForRun(service, refused.id)).state, 'failed');
  await receiver.hasReceived(2);
  t.match(JSON.parse(receiver.received[1]?.body ?? ''), {
    type: 'campaign.failed',
    data: { id: refused.id, mode: 'links', error: /signing key/ },
  });
});
