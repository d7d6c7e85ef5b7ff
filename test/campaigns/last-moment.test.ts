/** A kill between the last file of a run and the end of the run in the database changes no result. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openDatabase } from '../../src/store/database/database.ts';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { createCampaign, key, waitForRun } from './campaign-client.ts';

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('card', { variables: [textVariable('name', 'you')], layers: [textLayer('{{name}}')] });
});
const list = 'name\r\nAmanda\r\nWei\r\n';
const files = { proof: 'sheet.png', links: 'links.csv', files: 'files.zip' } as const;

t.test('a run whose end was not stored ends again, with the same result', async (t) => {
  const first = await startService(t, { dataDirectory });
  const made = new Map<keyof typeof files, { id: string; bytes: Buffer }>();
  for (const mode of ['proof', 'links', 'files'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    const { body } = await createCampaign(first, 'card', mode, list);
    // oxlint-disable-next-line no-await-in-loop
    const run = await waitForRun(first, body.id);
    t.equal(run.state, 'finished', `${mode}: ${run.error ?? ''}`);
    // oxlint-disable-next-line no-await-in-loop
    const file = await first.get(`/v1/campaigns/${body.id}/${files[mode]}`, { headers: key });
    made.set(mode, { id: body.id, bytes: file.body });
  }
  first.process.kill('SIGKILL');
  await first.process.ended;
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  db.exec("UPDATE campaign_runs SET state = 'running', finished_at = NULL");
  db.close();

  const next = await startService(t, { dataDirectory });
  for (const [mode, { id, bytes }] of made) {
    // oxlint-disable-next-line no-await-in-loop
    const run = await waitForRun(next, id);
    t.match(run, { state: 'finished', done: 2, error: null }, mode);
    // oxlint-disable-next-line no-await-in-loop
    const file = await next.get(`/v1/campaigns/${id}/${files[mode]}`, { headers: key });
    if (mode === 'proof') t.equal(file.status, 200);
    else t.ok(file.body.equals(bytes), `${mode}: ${file.status}`);
  }
});

t.test(
  'a run that comes back to a node which has deleted its files makes them again',
  async (t) => {
    const first = await startService(t, { dataDirectory });
    const { body } = await createCampaign(first, 'card', 'files', list);
    t.match(await waitForRun(first, body.id), { state: 'finished' });
    const path = `/v1/campaigns/${body.id}/files.zip`;
    const before = await first.get(path, { headers: key });
    first.process.kill('SIGKILL');
    await first.process.ended;
    // As after another node had the run, and was killed.
    rmSync(join(dataDirectory, 'campaigns', body.id, 'files'), { recursive: true });
    const db = openDatabase(join(dataDirectory, 'platen.db'));
    db.prepare("UPDATE campaign_runs SET state = 'running' WHERE campaign_id = ?").run(body.id);
    db.close();

    const next = await startService(t, { dataDirectory });
    t.match(await waitForRun(next, body.id), { state: 'finished', done: 2, error: null });
    const after = await next.get(path, { headers: key });
    t.ok(after.body.equals(before.body));
  },
);
