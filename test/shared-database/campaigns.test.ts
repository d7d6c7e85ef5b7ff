/** Campaigns of two real services over one real PostgreSQL server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { openDatabase } from '../../src/store/database/database.ts';
import { sweepFiles } from '../../src/mailings/store/campaigns/campaign-files.ts';
import { connect } from '../../src/store/shared/connection.ts';
import { MovedRows } from '../../src/mailings/store/tables/move-rows.ts';
import { moveToPostgres } from '../../src/store/shared/move-database.ts';
import {
  call,
  campaignFiles,
  createCampaign,
  getCampaign,
  isUnderWay,
  key,
  remove,
  rowsOf,
  startRun,
  waitForRun,
} from '../mailings/campaigns/campaign-client.ts';
import { readZip } from '../mailings/campaigns/file-readers.ts';
import { runPlaten } from '../cli/run-platen.ts';
import type { Ran } from '../cli/run-platen.ts';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import type { Answer } from '../e2e/request.ts';
import { eventually, startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import { skipsPostgres, startPostgres } from '../helpers/postgres.ts';
import { parseDatabaseUrl } from '../../src/store/database/shared-port.ts';

const timeoutMs = 300_000;
t.setTimeout(timeoutMs);

/** Rows of lists whose runs are interrupted. */
const longRows = 20_000;

/** Every 10th row has a fault, and every 25th cannot be read. */
function listOf(rows: number): string {
  const lines = ['email,name'];
  for (let row = 1; row <= rows; row += 1) {
    const name = row % 10 === 0 ? '*|FNAME|*' : `Person ${row}`;
    lines.push(row % 25 === 0 ? 'too,many,cells' : `p${row}@example.com,${name}`);
  }
  return `${lines.join('\n')}\n`;
}

t.test('two nodes share campaigns', { skip: skipsPostgres, timeout: timeoutMs }, async (t) => {
  const postgres = await startPostgres(t);
  const url = postgres.createDatabase('platen');
  const folder = t.testdir();
  const [folderA, folderB] = [join(folder, 'a'), join(folder, 'b')];
  fillDataDirectory(folderA, ({ publish }) => {
    publish('card', { variables: [textVariable('name', 'you')], layers: [textLayer('{{name}}')] });
  });
  const address = parseDatabaseUrl(url);
  if (address === undefined) throw new Error(`${url} is no address.`);
  const db = openDatabase(join(folderA, 'platen.db'));
  await moveToPostgres(db, address, { rows: new MovedRows(db, join(folderA, 'tables')) });
  db.close();
  const start = (dataDirectory: string): Promise<Service> =>
    startService(t, {
      dataDirectory,
      environment: {
        PLATEN_DATABASE_URL: url,
        PLATEN_PUBLIC_URL: 'https://images.example.com',
      },
    });
  const a = await start(folderA);
  let b = await start(folderB);
  const count = (sql: string): number =>
    Number(postgres.sql('platen', `SELECT count(*) FROM ${sql}`));

  const rows = 60;
  const made = await createCampaign(a, 'card', 'proof', listOf(rows));
  t.equal(made.status, 202, made.answer.text);
  const { id } = made.body;

  await t.test('a list of one node is proved, and read on the other', async (t) => {
    t.ok(await isKnown(b, id));
    t.match(await waitForRun(b, id), { state: 'finished', done: rows });
    const [here, there] = await Promise.all([a, b].map((each) => getCampaign(each, id)));
    t.same(here, there);
    t.match(here, { counts: { BAD_ROW: 2, UNMERGED: 5 } });
    const problems = await rowsOf(a, id);
    t.equal(problems.length, 7);
    t.same(await rowsOf(b, id), problems);
    await isSameFile(t, [a, b], id, 'sheet.png');
  });

  await t.test('links and files are the same on both, whichever makes them', async (t) => {
    t.equal(await startRun(b, id, { mode: 'links' }), 202);
    t.match(await waitForRun(b, id), { state: 'finished', counts: { links: rows - 2 } });
    const links = await isSameFile(t, [a, b], id, 'links.csv');
    t.equal(links.toString().match(/https:\/\/images\.example\.com\//g)?.length, rows - 2);
    t.equal(await startRun(a, id, { mode: 'files' }), 202);
    t.match(await waitForRun(a, id), { state: 'finished', counts: { files: rows - 2 } });
    t.ok(await eventually(async () => (await getCampaign(b, id)).state === 'finished'));
    const files = await isSameFile(t, [a, b], id, 'files.zip');
    t.equal((await readZip(files)).size, rows - 1, 'with the table of problems');
    t.notOk(existsSync(join(folderA, 'campaigns', id, 'files', 'files.zip')), 'stored once');
  });

  await t.test('links of a warm campaign are answered from the disk of each node', async (t) => {
    const others = Array.from({ length: 120 }, (_, index) => `Person ${index}`);
    const names = ['Wei', ...others];
    const { body } = await createCampaign(a, 'card', 'warm', `name\n${names.join('\n')}\n`);
    t.ok(await isKnown(b, body.id));
    t.match(await waitForRun(b, body.id), { state: 'finished', counts: { warm: names.length } });
    const isCopied = (): boolean =>
      [folderA, folderB].every((each) => existsSync(join(each, 'campaigns', body.id, 'warm.id')));
    t.ok(await eventually(isCopied));
    const isWarm = ({ headers }: Answer): boolean =>
      /desc=warm/.test(String(headers['server-timing']));
    for (const each of [a, b]) {
      // A link that came too early is drawn, and then in memory.
      const tried = others.values();
      const finds = async (): Promise<boolean> =>
        isWarm(await each.render(`card?name=${encodeURIComponent(tried.next().value ?? '')}`));
      t.ok(await eventually(finds));
    }
    const answers = await Promise.all([a, b].map((each) => each.render('card?name=Wei')));
    t.ok(answers.every(isWarm));
    t.ok(answers[0]?.body.equals(answers[1]?.body ?? Buffer.alloc(0)), 'one image');
    t.equal(await remove(a, body.id), 204);
  });

  await t.test('a run is canceled through the other node, and makes way', async (t) => {
    const { body } = await createCampaign(a, 'card', 'proof', listOf(longRows));
    t.ok(await isKnown(b, body.id));
    t.ok(await isUnderWay(b, body.id));
    t.match((await call(b, 'POST', `/${body.id}/cancel`)).json(), { state: 'canceled' });
    t.equal(await startRun(b, body.id, { mode: 'links' }), 202);
    const finished = await waitForRun(b, body.id);
    t.match(finished, { state: 'finished', runs: [{ mode: 'links' }, { state: 'canceled' }] });
    t.equal(await remove(b, body.id), 204);
  });

  await t.test('a run goes on when a lost database is back', async (t) => {
    const { body } = await createCampaign(a, 'card', 'links', listOf(longRows), {
      options: JSON.stringify({ short: true }),
    });
    t.ok(await isKnown(b, body.id));
    t.ok(await isUnderWay(a, body.id));
    postgres.stop();
    t.equal(await startRun(b, id, { mode: 'links' }), 503);
    t.equal((await createCampaign(a, 'card', 'proof', 'name\nAmanda\n')).status, 503);
    t.equal((await getCampaign(b, body.id)).state, 'running');
    postgres.start();
    await waitForRun(a, body.id);
    await hasEachLink(t, [a, b], body.id);
    t.equal(count('campaigns'), 2, 'nothing is half written');
    t.equal(await remove(a, body.id), 204);
  });

  await t.test('another node ends the run of a killed one', async (t) => {
    const before = count('short_links');
    const { body } = await createCampaign(b, 'card', 'links', listOf(longRows), {
      options: JSON.stringify({ short: true }),
    });
    t.ok(await isKnown(a, body.id));
    t.ok(await isUnderWay(a, body.id));
    b.process.kill('SIGKILL');
    await b.process.ended;
    t.ok((await getCampaign(a, body.id)).done < longRows, 'killed in its middle');
    await waitForRun(a, body.id);
    b = await start(folderB);
    const links = await hasEachLink(t, [a, b], body.id);
    t.equal(count('short_links') - before, links, 'none is stored twice');
    t.equal(await remove(a, body.id), 204);
  });

  const there = ['migrate', '--from', 'postgres', '--to', 'sqlite', '--json'];
  const moved = postgres.createDatabase('moved');

  await t.test('platen migrate moves lists and results', async (t) => {
    const alone = join(folder, 'alone');
    const environment = { PLATEN_DATA_DIR: alone };
    const back = ['migrate', '--from', 'sqlite', '--to', 'postgres', '--json'];
    const first = await runPlaten(there, {
      environment: { ...environment, PLATEN_DATABASE_URL: url },
    });
    t.equal(first.code, 0, first.stderr);
    for (const name of ['list.db', 'links.csv', 'sheet.png', 'files/files.zip']) {
      t.ok(existsSync(join(alone, 'campaigns', id, name)), name);
    }
    const second = await runPlaten(back, {
      environment: { ...environment, PLATEN_DATABASE_URL: moved },
    });
    t.equal(second.code, 0, second.stderr);
    const rowCount = (ran: Ran, table: string): number | undefined =>
      (ran.json() as { tables: { name: string; rows: number }[] }).tables.find(
        ({ name }) => name === table,
      )?.rows;
    t.equal(rowCount(second, 'campaign_runs'), 3);
    // The problems of the proof are in its list now.
    t.equal(rowCount(second, 'files of campaigns'), 4);
    t.equal(rowCount(first, 'files of campaigns'), 5);
  });

  await t.test('a backup without files of campaigns is served and moved', async (t) => {
    postgres.sql('moved', 'TRUNCATE platen_campaign_parts, platen_campaign_files');
    const bare = { PLATEN_DATA_DIR: join(folder, 'bare'), PLATEN_DATABASE_URL: moved };
    const ran = await runPlaten(there, { environment: bare });
    t.equal(ran.code, 0, ran.stderr);
    const named = ['the list', 'links.csv', 'sheet.png', 'files.zip'];
    for (const name of named) t.ok(ran.stderr.includes(`lacks ${name} of ${id}`), name);
    const path = `/v1/campaigns/${id}/links.csv`;
    t.equal((await b.get(path, { headers: key })).status, 200);
    const file = `SELECT files_json::json -> 'links.csv' ->> 'id' FROM campaign_runs WHERE campaign_id = '${id}' AND mode = 'links'`;
    postgres.sql('platen', `DELETE FROM platen_campaign_parts WHERE file_id = (${file})`);
    t.equal((await b.get(path, { headers: key })).status, 404);
  });

  await t.test('what a killed node has left is swept', async (t) => {
    const known = count('platen_campaign_parts');
    const save = (file: string, campaign: string, age: string): string =>
      postgres.sql(
        'platen',
        `INSERT INTO platen_campaign_files VALUES ('${file}', '${campaign}', 1, now() - interval '${age}');
         INSERT INTO platen_campaign_parts VALUES ('${file}', 0, '', '')`,
      );
    save('of-none', 'cmp_none', '2 hours');
    save('of-upload', 'cmp_new', '1 minute');
    save('of-no-run', id, '2 days');
    save('of-open-run', id, '2 hours');
    const connection = await connect(address);
    await sweepFiles(connection);
    await connection.close();
    t.equal(count('platen_campaign_parts'), known + 2);
    t.equal(count("platen_campaign_parts WHERE file_id IN ('of-upload', 'of-open-run')"), 2);
    postgres.sql('platen', "DELETE FROM platen_campaign_files WHERE id = 'of-upload'");
  });

  await t.test('a deleted campaign leaves nothing', async (t) => {
    t.equal(await remove(b, id), 204);
    t.ok(await eventually(() => count('platen_campaign_files') === 0));
    for (const table of ['campaigns', 'campaign_runs', 'platen_campaign_parts']) {
      t.equal(count(table), 0, table);
    }
    const left = (): string[] => [folderA, folderB].flatMap(campaignFiles);
    await eventually(() => left().length === 0);
    t.same(left(), []);
  });

  /** Returns the number of links, of which each good row has its own. */
  async function hasEachLink(t: Test, nodes: readonly Service[], ofId: string): Promise<number> {
    const links = longRows - Math.floor(longRows / 25);
    const counts = { links, short: links };
    t.match(await getCampaign(a, ofId), { state: 'finished', done: longRows, counts });
    const text = (await isSameFile(t, nodes, ofId, 'links.csv')).toString();
    const lines = text.split('\n').map((line) => line.trim());
    t.equal(lines.length, links + 2, 'a line for each row');
    t.equal(new Set(lines.map((line) => /\/r\/\w{20}/.exec(line)?.[0])).size, links + 1);
    return links;
  }
});

function isKnown(node: Service, id: string): Promise<boolean> {
  return eventually(async () => (await getCampaign(node, id)).id === id);
}

/** The file of a campaign, which all nodes have. */
async function isSameFile(
  t: Test,
  nodes: readonly Service[],
  id: string,
  file: string,
): Promise<Buffer> {
  const get = (node: Service): Promise<Answer> =>
    node.get(`/v1/campaigns/${id}/${file}`, { headers: key });
  const isThere = async (node: Service): Promise<boolean> => (await get(node)).status === 200;
  for (const node of nodes) t.ok(await eventually(() => isThere(node)), file);
  const [first, ...others] = await Promise.all(nodes.map(get));
  const body = first?.body ?? Buffer.alloc(0);
  t.ok(others.every((other) => other.body.equals(body)));
  return body;
}
