/** A service that is killed at any moment of a run gives, when it is started again, the result of an undisturbed run. */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import t from 'tap';
import type { Test } from 'tap';
import { openAsItIs } from '../../src/store/database/database.ts';
import { sends } from '../e2e/image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from '../e2e/published.ts';
import { plainImage } from '../e2e/image-bytes.ts';
import { eventually, startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { extent } from '../helpers/extent.ts';
import {
  campaignFiles,
  createCampaign,
  getCampaign,
  key,
  rowsOf,
  waitForRun,
} from './campaign-client.ts';
import type { CampaignBody, RowBody } from './campaign-client.ts';

/** Of each mode, and rows of the list. */
const kills = Number(process.env['TEST_KILLS'] ?? extent(1, 4));
const rowCount = extent(500, 1500);

t.setTimeout(120_000 + kills * 40_000);

const origin = await startOrigin({
  '/a.png': sends(await plainImage('#2d6a4f')),
  '/b.png': sends(await plainImage('#d4a373')),
});
t.teardown(() => origin.close());

/** The same numbers in every run; the machine makes each kill come at another point even so. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Every 50th row has a fault, and every 400th cannot be read. */
function listOf(rows: number): string {
  const lines = ['email,name,photo'];
  for (let row = 1; row <= rows; row += 1) {
    const name = row % 50 === 0 ? '*|FNAME|*' : `Person ${row}`;
    const photo = row % 70 === 0 ? '/gone.png' : `/${'ab'[row % 2]}.png`;
    if (row % 400 === 0) lines.push('too,few');
    else lines.push(`person${row % 997}-${row % 7}@example.com,${name},${origin.url(photo)}`);
  }
  return `${lines.join('\n')}\n`;
}

const folder = t.testdir();
const dataDirectory = fillDataDirectory(join(folder, 'data'), ({ publish }) => {
  publish('card', {
    variables: [
      textVariable('name', 'friend'),
      { name: 'photo', type: 'image', value: origin.url('/a.png') },
    ],
    layers: [textLayer('Hello {{name}}'), imageLayer('{{photo}}')],
  });
});

function start(): Promise<Service> {
  // Links begin with the same address after each start.
  const environment = { PLATEN_PUBLIC_URL: 'https://images.example.com' };
  return startService(t, { dataDirectory, origins: [origin], environment });
}

async function kill(service: Service): Promise<void> {
  service.process.kill('SIGKILL');
  await service.process.ended;
}

interface Result {
  campaign: Pick<CampaignBody, 'state' | 'done' | 'rows' | 'counts' | 'error'>;
  rows: RowBody[];
  file: Buffer;
}

async function resultOf(service: Service, id: string, file: string): Promise<Result> {
  const { state, done, rows, counts, error } = await getCampaign(service, id);
  const answer = await service.get(`/v1/campaigns/${id}/${file}`, { headers: key });
  const campaign = { state, done, rows, counts, error };
  // A process that has drawn a sheet before writes the same pixels in other bytes.
  const content = file.endsWith('.png') ? await sharp(answer.body).raw().toBuffer() : answer.body;
  return { campaign, rows: await rowsOf(service, id), file: content };
}

async function startRun(service: Service, id: string, body: object): Promise<void> {
  const headers = { ...key, 'Content-Type': 'application/json' };
  const options = { method: 'POST', headers, body: JSON.stringify(body) };
  await service.get(`/v1/campaigns/${id}/runs`, options);
}

/**
 * Kills the service after up to `delayMs` of a run, again and again, and gives the result of each run that ends. A run that
 * ends before its kill is followed by another one.
 */
async function killRuns(
  t: Test,
  {
    id,
    run,
    file,
    seed,
    delayMs,
  }: {
    id: string;
    run: { mode: string; short?: boolean };
    file: string;
    seed: number;
    delayMs: number;
  },
): Promise<Result[]> {
  const random = createRandom(seed);
  const results: Result[] = [];
  const killedAt: number[] = [];
  const isUnderWay = async (): Promise<boolean> => {
    const done = doneOf(id, run.mode);
    return done > (killedAt.at(-1) ?? 0) || (done === rowCount && (await isOver()));
  };
  const isOver = async (): Promise<boolean> =>
    (await getCampaign(service, id)).state === 'finished';
  let service = await start();
  await startRun(service, id, run);
  for (let count = 0; count < kills;) {
    // One in four is killed while the run begins or continues, the others at any point of their batches.
    if (random() < 0.75) await eventually(isUnderWay, 30_000);
    await pause(random() * delayMs);
    if (await isOver()) {
      results.push(await resultOf(service, id, file));
      killedAt.push(0);
      await startRun(service, id, run);
      continue;
    }
    await kill(service);
    count += 1;
    killedAt.push(doneOf(id, run.mode));
    service = await start();
  }
  await waitForRun(service, id);
  results.push(await resultOf(service, id, file));
  t.comment(`${results.length} runs, killed after ${killedAt.join(', ')} of ${rowCount} rows`);
  await kill(service);
  return results;
}

t.test('runs that are killed and resumed give exactly what undisturbed ones give', async (t) => {
  const service = await start();
  const { body } = await createCampaign(service, 'card', 'proof', listOf(rowCount));
  const { id } = body;
  t.equal((await waitForRun(service, id)).state, 'finished');
  const proof = await resultOf(service, id, 'sheet.png');
  t.match(proof.campaign, { done: rowCount, rows: rowCount });
  t.ok(proof.rows.length > rowCount / 50, 'there are problems to lose');
  await startRun(service, id, { mode: 'links' });
  await waitForRun(service, id);
  const links = await resultOf(service, id, 'links.csv');
  t.equal(links.campaign.counts['links'], rowCount - Math.floor(rowCount / 400));
  await kill(service);

  await t.test('a proof', async (t) => {
    const run = { mode: 'proof' };
    for (const result of await killRuns(t, { id, run, file: 'sheet.png', seed: 1, delayMs: 900 })) {
      t.same(result, proof);
    }
  });
  await t.test('links', async (t) => {
    const run = { mode: 'links' };
    for (const result of await killRuns(t, { id, run, file: 'links.csv', seed: 2, delayMs: 120 })) {
      t.same(result, links);
    }
  });
  await t.test('short links', async (t) => {
    const before = countLinks();
    const run = { mode: 'links', short: true };
    const results = await killRuns(t, { id, run, file: 'links.csv', seed: 3, delayMs: 200 });
    for (const { campaign, file } of results) {
      t.same(campaign.counts, { ...links.campaign.counts, short: campaign.counts['links'] });
      const tokens = [...file.toString().matchAll(/\/r\/([0-9A-Za-z]{20})/g)].map(
        ([, token]) => token,
      );
      t.equal(new Set(tokens).size, campaign.counts['links'], 'a token for each row');
      t.equal(file.toString().split('\n').length, links.file.toString().split('\n').length);
    }
    const made = results.reduce((sum, { campaign }) => sum + Number(campaign.counts['links']), 0);
    t.equal(countLinks() - before, made, 'the database has no doubles');
  });
});

/** Rows of the last checkpoint, 0 before the first one of the latest run. */
function doneOf(id: string, mode: string): number {
  const db = openAsItIs(join(dataDirectory, 'campaigns', id, 'list.db'));
  const service = openAsItIs(join(dataDirectory, 'platen.db'));
  try {
    const number = service
      .prepare('SELECT number FROM campaign_runs WHERE campaign_id = ? AND mode = ?')
      .pluck()
      .get(id, mode);
    const done = db
      .prepare('SELECT done FROM checkpoints WHERE mode = ? AND number = ?')
      .pluck()
      .get(mode, number);
    return Number(done ?? 0);
  } finally {
    db.close();
    service.close();
  }
}

function countLinks(): number {
  const db = openAsItIs(join(dataDirectory, 'platen.db'));
  try {
    return Number(db.prepare('SELECT count(*) FROM short_links').pluck().get());
  } finally {
    db.close();
  }
}

t.test('a kill during an upload leaves nothing', async (t) => {
  const before = campaignFiles(dataDirectory);
  let service = await start();
  const list = listOf(rowCount);
  const socket = connect(service.port, '127.0.0.1');
  const closed = once(socket, 'close').catch(() => undefined);
  socket.on('error', () => undefined);
  socket.write(
    [
      'POST /v1/campaigns?template=card HTTP/1.1',
      'Host: 127.0.0.1',
      `X-API-Key: ${key['X-API-Key']}`,
      'Content-Type: text/csv',
      `Content-Length: ${list.length}`,
      '',
      list.slice(0, list.length / 2),
    ].join('\r\n'),
  );
  t.ok(await eventually(() => campaignFiles(dataDirectory).length > before.length));
  await kill(service);
  await closed;
  t.equal(campaignFiles(dataDirectory).length, before.length + 1, 'the kill was in the upload');
  service = await start();
  t.same(campaignFiles(dataDirectory), before);
  await kill(service);
});

t.test('a kill while a list is read leaves a whole campaign or none', async (t) => {
  const campaigns = join(dataDirectory, 'campaigns');
  const random = createRandom(4);
  const rows = 30_000;
  const list = listOf(rows);
  for (let count = 0; count < kills; count += 1) {
    const known = campaignFiles(dataDirectory);
    const service = await start();
    const upload = createCampaign(service, 'card', 'links', list).catch(() => undefined);
    await eventually(() => campaignFiles(dataDirectory).length > known.length);
    await pause(random() * 500);
    await kill(service);
    await upload;
    const again = await start();
    const listed = await again.get('/v1/campaigns?limit=100', { headers: key });
    const found = (listed.json() as { campaigns: { id: string; rows: number }[] }).campaigns;
    t.same(campaignFiles(dataDirectory), found.map(({ id }) => id).toSorted());
    for (const each of found.filter(({ id }) => !known.includes(id))) {
      t.equal(each.rows, rows);
      await again.get(`/v1/campaigns/${each.id}`, { method: 'DELETE', headers: key });
      t.notOk(existsSync(join(campaigns, each.id)));
    }
    await kill(again);
  }
});
