/** Long runs of one organization make way for a short one of another, and lose nothing by it. */
import { join } from 'node:path';
import t from 'tap';
import type { Service } from '../e2e/service.ts';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { createCampaign, getCampaign, key, rowsOf, waitForRun } from './campaign-client.ts';

const otherKey = 'key-of-another-organization';

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, organizations }) => {
  const document = {
    variables: [textVariable('name', 'friend')],
    layers: [textLayer('Hello {{name}}')],
  };
  publish('greeting', document);
  organizations.createOrganization('Other', 'org_other');
  organizations.createKey('org_other', { name: 'test', key: otherKey });
  publish('short', document, 'org_other');
});

/** No machine proves these within the turns of this test. */
const endlessRows = 20_000;
/** The first run to make way, which takes longer than a turn; every 50th row has a fault. */
const rows = 4000;

function listOf(count: number): string {
  const lines = Array.from({ length: count }, (_, row) => {
    const name = row % 50 === 0 ? '*|FNAME|*' : `Name ${row}`;
    return `${row}@example.com,${name}`;
  });
  return ['email,name', ...lines].join('\n');
}

t.test('a short proof ends beside four long ones of another organization', async (t) => {
  const service = await startService(t, { dataDirectory });
  const other: Pick<Service, 'get'> = {
    get: (path, options = {}) =>
      service.get(path, { ...options, headers: { ...options.headers, 'X-API-Key': otherKey } }),
  };
  const prove = async (list: string): Promise<string> =>
    (await createCampaign(service, 'greeting', 'proof', list)).body.id;
  const first = await prove(listOf(rows));
  const endless = listOf(endlessRows);
  const others = [await prove(endless), await prove(endless), await prove(endless)];

  const short = await createCampaign(other, 'short', 'proof', 'email,name\na@b.c,A\nd@e.f,D\n');
  t.match(await waitForRun(other, short.body.id), { state: 'finished', counts: { fine: 2 } });
  for (const id of [first, ...others]) {
    const { state, done } = await getCampaign(service, id);
    t.ok(['queued', 'running'].includes(state), `${state} after ${done}`);
  }

  for (const id of others) {
    const path = `/v1/campaigns/${id}/cancel`;
    const canceled = await service.get(path, { method: 'POST', headers: key });
    t.match(canceled.json(), { state: 'canceled' });
  }
  const finished = await waitForRun(service, first);
  const faults = rows / 50;
  t.match(finished, {
    state: 'finished',
    done: rows,
    counts: { problems: faults, UNMERGED: faults, fine: rows - faults },
  });
  t.equal((await rowsOf(service, first, 'UNMERGED')).length, faults);
});
