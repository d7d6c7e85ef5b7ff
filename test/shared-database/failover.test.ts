/** Writes, links, campaigns and an upload that are under way when the PostgreSQL server dies and its standby takes over. */
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import {
  createCampaign,
  getCampaign,
  isUnderWay,
  key,
  waitForRun,
} from '../mailings/campaigns/campaign-client.ts';
import { readZip } from '../mailings/campaigns/file-readers.ts';
import { clockAhead } from '../e2e/fleet.ts';
import { testDocument, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import type { Answer } from '../e2e/request.ts';
import { eventually, startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import { extent, onlyFull } from '../helpers/extent.ts';
import { promote, skipsPostgres, startReplicated } from '../helpers/postgres.ts';

const linkRows = extent(5000, 20_000);
const fileRows = extent(300, 1500);
const tableRows = extent(20_000, 200_000);

const namesOf = (rows: number): string =>
  ['name', ...Array.from({ length: rows }, (_, row) => `Person ${row}`)].join('\n');

t.test(
  'a failover in the middle of work',
  { skip: skipsPostgres || onlyFull, timeout: 300_000 },
  async (t) => {
    const { primary, standby, url } = await startReplicated(t);
    const folder = t.testdir();
    // The clock of one node is five minutes ahead: no lock or order of changes compares clocks.
    const start = (name: string): Promise<Service> =>
      startService(t, {
        dataDirectory: join(folder, name),
        environment: {
          PLATEN_DATABASE_URL: url,
          PLATEN_DEMO_API_KEY: testOrganization.key,
          PLATEN_PUBLIC_URL: 'https://images.example.com',
          ...(name === 'b' ? clockAhead : undefined),
        },
      });
    const [a, b] = [await start('a'), await start('b')];
    const nodes = [a, b];
    await publish(t, a);
    t.ok(await eventually(async () => (await b.render('card.png?name=Amanda')).status === 200));

    const links = await createCampaign(a, 'card', 'links', namesOf(linkRows), {
      options: JSON.stringify({ short: true }),
    });
    const files = await createCampaign(b, 'card', 'files', namesOf(fileRows));
    t.same([links.status, files.status], [202, 202]);
    const ids = [links.body.id, files.body.id];
    for (const id of ids) t.ok(await isUnderWay(a, id));

    // Rows that are changed, one after the other, and those of them that were acknowledged.
    t.equal((await put(a, 'members', 'id,name\n0,Amanda\n')).status, 201);
    const acknowledged: number[] = [];
    const over = new AbortController();
    const change = async (): Promise<void> => {
      for (let row = 1; !over.signal.aborted; row += 1) {
        const node = nodes[row % nodes.length] ?? a;
        const { status } = await send(node, 'PATCH', '/v1/tables/members', {
          rows: [{ id: String(row), name: `Row ${row}` }],
        });
        if (status === 200) acknowledged.push(row);
        else t.equal(status, 503);
      }
    };
    const stored: string[] = [];
    const failedLinks: number[] = [];
    const write = async (): Promise<void> => {
      for (let count = 0; !over.signal.aborted; count += 1) {
        const [uid, node] = [`write-${count}`, nodes[count % nodes.length] ?? a];
        const path = `/v1/templates?uid=${uid}`;
        if ((await send(node, 'POST', path, testDocument())).status === 201) stored.push(uid);
        const { status } = await node.render(`card.png?name=${count % 7}`);
        if (status !== 200) failedLinks.push(status);
      }
    };
    const changing = Promise.all([change(), write()]);
    const list = Array.from({ length: tableRows }, (_, row) => `${row},Person ${row}`);
    const upload = (): Promise<Answer> => put(a, 'large', `id,name\n${list.join('\n')}\n`);
    const first = upload();
    const isStoring =
      "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%platen_table_rows%' AND xact_start < now()";
    t.ok(
      await eventually(() => Number(primary.sql('platen', isStoring)) > 0),
      'the upload is under way',
    );
    for (const id of ids) t.equal((await getCampaign(b, id)).state, 'running');
    primary.stop();
    const atKill = acknowledged.length;
    const storedAtKill = stored.length;
    promote(standby);
    const goOn = (): boolean =>
      acknowledged.length > atKill + 20 && stored.length > storedAtKill + 5;
    t.ok(await eventually(goOn, 60_000), 'changes go on');
    over.abort();
    await changing;

    const { status } = await first;
    t.ok([201, 503].includes(status), `the upload is answered ${status}`);
    const count = (sql: string): number =>
      Number(standby.sql('platen', `SELECT count(*) FROM ${sql}`));
    if (status === 503) {
      const isStored = async (): Promise<boolean> => [200, 201].includes((await upload()).status);
      t.ok(await eventually(isStored, 60_000), 'and again');
    }
    const large = await send(b, 'GET', '/v1/tables/large');
    t.match(large.json(), { rows: tableRows });
    const members =
      "FROM platen_table_rows WHERE file = (SELECT number FROM platen_table_files JOIN data_tables USING (file_id) WHERE name = 'members')";
    const isSwept = (): boolean =>
      count('platen_table_rows') ===
      tableRows + Number(standby.sql('platen', `SELECT count(*) ${members}`));
    t.ok(await eventually(isSwept), 'nothing is left of an upload that failed');

    const known = new Set(
      standby.sql('platen', `SELECT convert_from(key, 'UTF8') ${members}`).split('\n'),
    );
    const lost = acknowledged.filter((row) => !known.has(String(row)));
    t.same(lost, [], 'no acknowledged row is lost');
    t.same(failedLinks, [], 'links are answered throughout');
    const uids = new Set(standby.sql('platen', 'SELECT uid FROM templates').split('\n'));
    t.same(
      stored.filter((uid) => !uids.has(uid)),
      [],
      'and no template',
    );
    const [last = ''] = stored.slice(-1);
    for (const node of nodes) {
      const hasAll = async (): Promise<boolean> => {
        const { rows } = (await send(node, 'GET', '/v1/tables/members')).json() as { rows: number };
        const template = await send(node, 'GET', `/v1/templates/${last}`);
        return rows === known.size - 1 && template.status === 200;
      };
      t.ok(await eventually(hasAll), 'each node has them');
    }

    for (const id of ids) await waitForRun(a, id);
    t.match(await getCampaign(b, ids[0] ?? ''), {
      state: 'finished',
      done: linkRows,
      counts: { links: linkRows, short: linkRows },
    });
    const csv = (await result(b, ids[0] ?? '', 'links.csv')).toString();
    const tokens = csv.match(/\/r\/\w{20}/g) ?? [];
    t.equal(tokens.length, linkRows);
    t.equal(new Set(tokens).size, linkRows, 'each row has its own link');
    t.equal(count('short_links'), linkRows, 'none is stored twice');
    t.match(await getCampaign(b, ids[1] ?? ''), {
      state: 'finished',
      done: fileRows,
      counts: { files: fileRows },
    });
    const zip = await readZip(await result(a, ids[1] ?? '', 'files.zip'));
    t.equal(zip.size, fileRows, 'each row has its file, once');
  },
);

async function publish(t: Test, service: Service): Promise<void> {
  const variables = [textVariable('name', 'you')];
  const document = testDocument({ variables, layers: [textLayer('{{name}}')] });
  t.equal((await send(service, 'POST', '/v1/templates?uid=card', document)).status, 201);
  const isPublished = async (): Promise<boolean> =>
    (await send(service, 'POST', '/v1/templates/card/publish', {})).status === 200;
  t.ok(await eventually(isPublished));
}

function send(service: Service, method: string, path: string, body?: object): Promise<Answer> {
  const headers = { ...key, 'Content-Type': 'application/json' };
  return service.get(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function put(service: Service, name: string, list: string): Promise<Answer> {
  const headers = { ...key, 'Content-Type': 'text/csv' };
  return service.get(`/v1/tables/${name}?key=id`, { method: 'PUT', headers, body: list });
}

/** A result, which comes to be there. */
async function result(service: Service, id: string, name: string): Promise<Buffer> {
  const get = (): Promise<Answer> => service.get(`/v1/campaigns/${id}/${name}`, { headers: key });
  await eventually(async () => (await get()).status === 200);
  return (await get()).body;
}
