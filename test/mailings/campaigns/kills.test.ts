/** A service that is killed at any moment of a run gives, when it is started again, the result of an undisturbed run. */
import { existsSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import t from 'tap';
import type { Test } from 'tap';
import { createRandom } from '../../../bench/stages/random-text.ts';
import { openAsItIs, openDatabase } from '../../../src/store/database/database.ts';
import { plainImage, sends } from '../../e2e/image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from '../../e2e/published.ts';
import { eventually, startService } from '../../e2e/service.ts';
import type { Service } from '../../e2e/service.ts';
import { startOrigin } from '../../fixtures/images-origin.ts';
import { extent } from '../../helpers/extent.ts';
import {
  campaignFiles,
  createCampaign,
  download,
  getCampaign,
  key,
  remove,
  rowsOf,
  runCampaign,
  startRun,
  waitForRun,
} from './campaign-client.ts';
import type { CampaignBody, RowBody } from './campaign-client.ts';
import { readZip } from './file-readers.ts';

/** Of each mode, and rows of the list. */
const kills = Number(process.env['TEST_KILLS'] ?? extent(1, 4));
const rowCount = extent(500, 1500);

t.setTimeout(120_000 + kills * 50_000);

const origin = await startOrigin({
  '/a.png': sends(await plainImage('#2d6a4f')),
  '/b.png': sends(await plainImage('#d4a373')),
});
t.teardown(() => origin.close());

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

const photo = { name: 'photo', type: 'image', value: origin.url('/a.png') } as const;
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('card', {
    onImageError: 'default',
    variables: [textVariable('name', 'friend'), photo],
    layers: [textLayer('Hello {{name}}'), imageLayer('{{photo}}')],
  });
});

function start(changes: Record<string, string> = {}): Promise<Service> {
  // Links begin with the same address after each start.
  const environment = { PLATEN_PUBLIC_URL: 'https://images.example.com', ...changes };
  return startService(t, { dataDirectory, origins: [origin], environment });
}

async function kill(service: Service): Promise<void> {
  service.process.kill('SIGKILL');
  await service.process.ended;
}

interface Result {
  campaign: Pick<CampaignBody, 'state' | 'done' | 'rows' | 'counts' | 'error'>;
  rows: RowBody[];
  file: unknown;
}

const results = { proof: 'sheet.png', links: 'links.csv', files: 'files.zip' } as const;

async function resultOf(service: Service, id: string, mode: keyof typeof results): Promise<Result> {
  const { state, done, rows, counts, error } = await getCampaign(service, id);
  const bytes = await download(service, id, results[mode]);
  const campaign = { state, done, rows, counts, error };
  // A process that has drawn an image before writes the same pixels in other bytes.
  const pixelsOf = (file: Buffer): Promise<Buffer> => sharp(file).raw().toBuffer();
  let file: unknown = bytes.toString();
  if (mode === 'proof') file = await pixelsOf(bytes);
  if (mode === 'files') {
    delete campaign.counts['bytes'];
    const files = [...(await readZip(bytes))].map(async ([name, each]) =>
      name.endsWith('.csv') ? each.toString() : `${name} ${(await pixelsOf(each)).toString('hex')}`,
    );
    file = await Promise.all(files);
  }
  return { campaign, rows: await rowsOf(service, id), file };
}

interface KilledRun {
  id: string;
  mode: keyof typeof results;
  short?: boolean;
  seed: number;
  delayMs: number;
}

/**
 * Kills the service after up to `delayMs` of a run, again and again, and gives the result of each run that ends. A run that
 * ends before its kill is followed by another one.
 */
async function killRuns(t: Test, { id, mode, short, seed, delayMs }: KilledRun): Promise<Result[]> {
  const run = short === undefined ? { mode } : { mode, short };
  const random = createRandom(seed);
  const ended: Result[] = [];
  const killedAt: number[] = [];
  const isOver = async () => (await getCampaign(service, id)).state === 'finished';
  const hasMoved = async (): Promise<boolean> => {
    const done = doneOf(id, mode);
    return done > (killedAt.at(-1) ?? 0) || (done === rowCount && (await isOver()));
  };
  let service = await start();
  await startRun(service, id, run);
  for (let count = 0; count < kills;) {
    // One in four is killed while the run begins or continues, the others at any point of their batches.
    if (random() < 0.75) await eventually(hasMoved, 30_000);
    await pause(random() * delayMs);
    if (await isOver()) {
      ended.push(await resultOf(service, id, mode));
      killedAt.push(0);
      await startRun(service, id, run);
      continue;
    }
    await kill(service);
    count += 1;
    killedAt.push(doneOf(id, mode));
    service = await start();
  }
  await waitForRun(service, id);
  ended.push(await resultOf(service, id, mode));
  t.comment(`${ended.length} runs, killed after ${killedAt.join(', ')} of ${rowCount} rows`);
  await kill(service);
  return ended;
}

t.test('runs that are killed and resumed give exactly what undisturbed ones give', async (t) => {
  const service = await start();
  const { id } = await runCampaign(service, 'card', 'proof', listOf(rowCount));
  const proof = await resultOf(service, id, 'proof');
  t.match(proof.campaign, { state: 'finished', done: rowCount, rows: rowCount });
  t.ok(proof.rows.length > rowCount / 50, 'there are problems to lose');
  await startRun(service, id, { mode: 'links' });
  await waitForRun(service, id);
  const links = await resultOf(service, id, 'links');
  t.equal(links.campaign.counts['links'], rowCount - Math.floor(rowCount / 400));
  await startRun(service, id, { mode: 'files' });
  await waitForRun(service, id);
  const files = await resultOf(service, id, 'files');
  await kill(service);

  const undisturbed = { proof, links, files };
  for (const [mode, seed, delayMs] of [
    ['proof', 1, 900],
    ['links', 2, 120],
    ['files', 5, 900],
  ] as const) {
    const ended = await killRuns(t, { id, mode, seed, delayMs });
    for (const result of ended) t.same(result, undisturbed[mode], mode);
  }
  const before = countLinks();
  const ended = await killRuns(t, { id, mode: 'links', short: true, seed: 3, delayMs: 200 });
  for (const { campaign, file } of ended) {
    const { links: count } = campaign.counts;
    t.same(campaign.counts, { ...links.campaign.counts, short: count });
    const tokens = String(file).match(/\/r\/[0-9A-Za-z]{20}/g);
    t.equal(new Set(tokens).size, count, 'a token for each row');
    t.equal(String(file).split('\n').length, String(links.file).split('\n').length);
  }
  const made = ended.reduce((sum, { campaign }) => sum + Number(campaign.counts['links']), 0);
  t.equal(countLinks() - before, made, 'the database has no doubles');
});

/** A number of a database; 0 where it has no such row. */
function ask(path: string, sql: string, ...values: unknown[]): number {
  const db = openAsItIs(join(dataDirectory, path));
  try {
    const statement = db.prepare(sql).pluck();
    return Number(statement.get(...values) ?? 0);
  } finally {
    db.close();
  }
}

/** Rows of the last checkpoint, 0 before the first one of the latest run. */
function doneOf(id: string, mode: string): number {
  const latest = 'SELECT number FROM campaign_runs WHERE campaign_id = ? AND mode = ?';
  const number = ask('platen.db', latest, id, mode);
  const done = 'SELECT done FROM checkpoints WHERE mode = ? AND number = ?';
  return ask(`campaigns/${id}/list.db`, done, mode, number);
}

const countLinks = (): number => ask('platen.db', 'SELECT count(*) FROM short_links');

t.test('a run whose end was not stored ends again, also without its files', async (t) => {
  const first = await start();
  const made: { id: string; mode: keyof typeof results; file: unknown }[] = [];
  for (const mode of ['proof', 'links', 'files', 'files'] as const) {
    const { id, state } = await runCampaign(first, 'card', mode, 'name\nAmanda\nWei\n');
    t.equal(state, 'finished');
    made.push({ id, mode, file: (await resultOf(first, id, mode)).file });
  }
  await kill(first);
  // As after another node had the run, and was killed.
  rmSync(join(dataDirectory, 'campaigns', made[3]?.id ?? '', 'files'), { recursive: true });
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  db.exec("UPDATE campaign_runs SET state = 'running', finished_at = NULL");
  db.close();
  const next = await start();
  for (const { id, mode, file } of made) {
    t.match(await waitForRun(next, id), { state: 'finished', done: 2, error: null }, mode);
    t.same((await resultOf(next, id, mode)).file, file, mode);
    await remove(next, id);
  }
  await kill(next);
});

t.test('a kill during an upload leaves nothing', async (t) => {
  const before = campaignFiles(dataDirectory);
  const service = await start();
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
  const again = await start();
  t.same(campaignFiles(dataDirectory), before);
  await kill(again);
});

t.test('a kill while a list is read leaves a whole campaign or none', async (t) => {
  const random = createRandom(4);
  const rows = 30_000;
  for (let count = 0; count < kills; count += 1) {
    const known = campaignFiles(dataDirectory);
    const service = await start();
    const upload = createCampaign(service, 'card', 'links', listOf(rows)).catch(() => undefined);
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
      await remove(again, each.id);
      t.notOk(existsSync(join(dataDirectory, 'campaigns', each.id)));
    }
    await kill(again);
  }
});
