/** Campaigns of two processes of one machine over one data folder. */
import { join } from 'node:path';
import t from 'tap';
import { runCampaign } from '../mailings/campaigns/campaign-client.ts';
import { fillDataDirectory, textLayer, textVariable } from './published.ts';
import { eventually, startService } from './service.ts';

t.setTimeout(300_000);

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  const variables = [textVariable('name', 'friend')];
  publish('card', { variables, layers: [textLayer('Hello {{name}}')] });
});
const first = await startService(t, { dataDirectory });
const second = await startService(t, { dataDirectory });
const both = [first, second];

t.test('each takes campaigns, and one of them runs those of both', async (t) => {
  for (const service of both) {
    const { state } = await runCampaign(service, 'card', 'proof', 'name\nAmanda\nBob\n');
    t.equal(state, 'finished', `by ${service.port}`);
  }
});

t.test('images that a campaign has made before sending answer links of both', async (t) => {
  const names = Array.from({ length: 400 }, (_, index) => `N${index}`);
  const { state } = await runCampaign(first, 'card', 'warm', ['name', ...names].join('\n'));
  t.equal(state, 'finished');
  for (const service of both) {
    // Once it was answered, an image is in memory.
    const left = [...names];
    const isWarm = async (): Promise<boolean> => {
      const { headers } = await service.render(`card?name=${left.pop()}&_version=1`);
      return String(headers['server-timing']).includes('desc=warm');
    };
    t.ok(await eventually(isWarm), `by ${service.port}`);
  }
});

// Last, and no teardown: tap removes the folder before those run, and fails where a service still writes.
t.test('each ends when it is asked to, also beside the other', async (t) => {
  for (const { process } of both) {
    process.kill('SIGTERM');
    t.strictSame(await process.ended, { code: 0, signal: null });
  }
});
