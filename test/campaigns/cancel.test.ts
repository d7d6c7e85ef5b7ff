/** A canceled run ends, and makes way for the next one. */
import { join } from 'node:path';
import t from 'tap';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { eventually, startService } from '../e2e/service.ts';
import { createCampaign, getCampaign, key, waitForRun } from './campaign-client.ts';

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('greeting', {
    variables: [textVariable('name', 'friend')],
    layers: [textLayer('Hello {{name}}')],
  });
});

/** More than a proof does before it is canceled. */
const rows = 8000;

t.test('the next run does not wait for the rows of a canceled one', async (t) => {
  const service = await startService(t, { dataDirectory });
  const list = Array.from({ length: rows }, (_, row) => `${row}@example.com,Name ${row}`);
  const { body } = await createCampaign(
    service,
    'greeting',
    'proof',
    ['email,name', ...list].join('\n'),
  );
  const post = (path: string, json?: object) =>
    service.get(`/v1/campaigns/${body.id}/${path}`, {
      method: 'POST',
      headers: { ...key, 'Content-Type': 'application/json' },
      agent: false,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  // The first batch is done, so that the run works on the next.
  await eventually(async () => (await getCampaign(service, body.id)).done > 0);
  t.match((await post('cancel')).json(), { state: 'canceled' });
  const start = await post('runs', { mode: 'links' });
  t.equal(start.status, 202);
  const finished = await waitForRun(service, body.id);
  t.match(finished, {
    mode: 'links',
    state: 'finished',
    done: rows,
    runs: [{ mode: 'links' }, { mode: 'proof', state: 'canceled' }],
  });
  const { runs } = finished as unknown as { runs: { done: number }[] };
  t.ok((runs[1]?.done ?? rows) < rows, 'the canceled run did not go on');
});
