/** `platen campaign …` against a started service. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { unpack } from '../../src/cli/campaigns/unpack.ts';
import { waitForRun } from '../../src/cli/campaigns/watch.ts';
import { reachableHost } from '../../src/cli/service-client.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { PlatenClient } from '../../src/client/platen-client.ts';
import type { Campaign } from '../../src/client/platen-client.ts';
import { zip } from '../mailings/lists/xlsx-file.ts';
import {
  fillDataDirectory,
  imageLayer,
  testOrganization,
  textLayer,
  textVariable,
} from '../e2e/published.ts';
import { freePort, startService } from '../e2e/service.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { runOnTerminal, runPlaten } from './run-platen.ts';
import type { Ran } from './run-platen.ts';

// Each command is a process of its own; on a busy machine they take seconds.
t.setTimeout(180_000);

const folder = t.testdir();
const dataDirectory = fillDataDirectory(join(folder, 'data'), ({ publish }) => {
  const variables = [textVariable('name', 'friend'), textVariable('city', '')];
  publish('card', { variables, layers: [textLayer('{{name}} {{city}}')] });
  publish('photo', {
    onImageError: 'default',
    variables: [textVariable('name', 'friend'), { name: 'photo', type: 'image', value: '' }],
    layers: [textLayer('{{name}}'), imageLayer('{{photo}}')],
  });
});
const origin = await startOrigin({});
t.teardown(() => origin.close());
const service = await startService(t, { dataDirectory, origins: [origin] });
const environment = { PLATEN_API_KEY: testOrganization.key, PLATEN_PORT: String(service.port) };

for (const [name, rows] of Object.entries({
  'good.csv': 'a@example.com,Amanda,Lyon\nw@example.com,Wei,Ulm\n',
  'bad.csv': 'a@example.com,*|FNAME|*,Lyon\nw@example.com,,Ulm\nz@example.com,Zoë,\n',
})) {
  writeFileSync(join(folder, name), `email,Name,city\n${rows}`);
}

function campaign(...args: string[]): Promise<Ran> {
  return runPlaten(['campaign', ...args], { cwd: folder, environment });
}

/** The campaigns that the service has. */
async function kept(): Promise<unknown[]> {
  const headers = { 'X-API-Key': testOrganization.key };
  const answer = await service.get('/v1/campaigns', { headers });
  return (answer.json() as { campaigns: unknown[] }).campaigns;
}

t.test('a proof ends with 0 when no row needs a person, and leaves nothing', async (t) => {
  const ran = await campaign('proof', 'good.csv', '--template', 'card');
  t.equal(ran.code, 0, ran.stderr);
  t.equal(ran.stdout, '2 fine, none need you.\n');
  t.match(ran.stderr, /2 rows \(csv utf-8 ,\)/);
  t.match(ran.stderr, / {2}Name → name\n {2}city → city\n {2}not used: email/);
  t.same(await kept(), []);
});

t.test(
  'a list in a doubtful encoding is read only in the encoding that somebody names',
  async (t) => {
    const bytes = Buffer.from('email,Name,city\na@example.com,Ren\u008ee,Lyon\n', 'latin1');
    writeFileSync(join(folder, 'doubt.csv'), bytes);
    const asked = await campaign('links', 'doubt.csv', '--template', 'card');
    t.equal(asked.code, 1, asked.stderr);
    t.match(asked.stderr, /add --encoding macintosh or --encoding windows-1252/);
    t.match(asked.stderr, /^1 macintosh +2 windows-1252/m);
    t.match(asked.stderr, /^Renée +RenŽe/m);
    t.same(await kept(), []);
    t.notOk(existsSync(join(folder, 'doubt-links.csv')));
    const named = await campaign('links', 'doubt.csv', '-t', 'card', '--encoding', 'macintosh');
    t.equal(named.code, 0, named.stderr);
    t.match(readFileSync(join(folder, 'doubt-links.csv'), 'utf8'), 'name=Ren%C3%A9e');
  },
);

t.test('a person on a terminal chooses the encoding of a list', async (t) => {
  const ran = await runOnTerminal(
    ['campaign', 'links', 'doubt.csv', '--template', 'card', '--out', 'chosen.csv'],
    { cwd: folder, environment, input: 'x\n2\n' },
  );
  t.equal(ran.code, 0, ran.stdout);
  t.match(ran.stdout, 'Which column is right? [1-');
  t.match(readFileSync(join(folder, 'chosen.csv'), 'utf8'), 'name=Ren%C5%BDe');
  t.same(await kept(), []);
});

t.test('a proof ends with 1 when a row needs a person, and shows the row', async (t) => {
  const ran = await campaign('proof', 'bad.csv', '--template', 'card', '--out', 'report');
  t.equal(ran.code, 1, ran.stderr);
  t.match(
    ran.stdout,
    /^0 fine, 1 falls back to a default, 2 need you\. First see to the merge tags in "Name" \(1 row\): /,
  );
  t.match(ran.stdout, /^UNMERGED +Name +name +1 +1$/m);
  t.match(ran.stdout, /^EMPTY +Name +name +1 +0$/m);
  t.match(ran.stdout, /need you:[^]*\n3 +4 +EMPTY[^]*\nfall back to a default:[^]*\n2 +3 +EMPTY/);
  t.match(ran.stdout, /^1 +2 +UNMERGED +name +"name" has the merge tag/m);
  t.match(ran.stdout, /^3 +4 +EMPTY +city +"city" is empty/m);
  t.match(ran.stdout, /^saved report$/m);
  t.same(readdirSync(join(folder, 'report')).toSorted(), [
    'problems.csv',
    'rows.jsonl',
    'sheet.png',
  ]);
  const asJson = await campaign('proof', 'bad.csv', '-t', 'card', '--json', '--out', 'sheet.png');
  t.match(asJson.json(), {
    campaign: { state: 'finished', counts: { problems: 2 } },
    rows: [{ row: 1, problems: [{ code: 'UNMERGED', variable: 'name' }] }, { row: 3 }, { row: 2 }],
    out: join(folder, 'sheet.png'),
    kept: false,
  });
  t.equal(readFileSync(join(folder, 'sheet.png')).toString('latin1', 1, 4), 'PNG');
  t.same(await kept(), []);
});

t.test('a proof shows and saves the rows of a filter', async (t) => {
  const proof = ['proof', 'bad.csv', '--template', 'card'];
  const ran = await campaign(...proof, '--needs-you', '--column', 'Name', '--out', 'found.csv');
  t.equal(ran.code, 1, ran.stderr);
  t.match(ran.stdout, /^1 +2 +UNMERGED/m);
  t.notMatch(ran.stdout, /fall back to a default:|^3 +4 /m);
  t.equal(
    readFileSync(join(folder, 'found.csv'), 'utf8'),
    [
      '\uFEFFplaten_row,email,Name,city,platen_problem_empty,platen_problem_unmerged',
      '1,a@example.com,*|FNAME|*,Lyon,,"""name"" has the merge tag *|FNAME|*, which was not replaced: export the list with its values"',
      '',
    ].join('\n'),
  );
  const none = await campaign(...proof, '--problem', 'TOO_LARGE');
  t.match(none.stdout, /^no such row$/m);
  const unknown = await campaign(...proof, '--problem', 'UNKNOWN');
  t.equal(unknown.code, 1, unknown.stderr);
  t.match(unknown.stderr, /expected one of BAD_ROW/);
});

t.test('links are saved as CSV, with the options of the command', async (t) => {
  const ran = await campaign('links', 'good.csv', '--template', 'card', '--map', 'city=name');
  t.equal(ran.code, 0, ran.stderr);
  t.match(ran.stderr, /no column gives "city"/);
  const csv = readFileSync(join(folder, 'good-links.csv'), 'utf8');
  t.match(csv, /^email,Name,city,platen_url,platen_alt\n/);
  t.match(csv, `${service.base}/v1/render/card.png?name=Lyon&_version=1`);
  const again = await campaign('links', 'good-links.csv', '-t', 'card', '-m', 'city=name');
  t.equal(again.code, 0, again.stderr);
  t.equal(readFileSync(join(folder, 'good-links-links.csv'), 'utf8'), csv, 'links replace links');
  const options = ['--short', '--expires', '7d', '--format', 'webp', '--version', '1'];
  const short = await campaign('links', 'good.csv', '-t', 'card', ...options, '-o', 'short.csv');
  t.equal(short.code, 0, short.stderr);
  const shortLinks = readFileSync(join(folder, 'short.csv'), 'utf8');
  const [url = ''] = /http\S+\/r\/[0-9A-Za-z]{20}\.webp/.exec(shortLinks) ?? [];
  t.equal((await fetch(url)).status, 200, 'it shows its image without the campaign');
  const [, remove = ''] = /platen campaign delete (cmp_\w+) --short-links/.exec(short.stdout) ?? [];
  t.equal((await campaign('delete', remove, '--short-links')).code, 0);
  t.equal((await fetch(url)).status, 404);
});

t.test('links end with 1 when one would be refused', async (t) => {
  writeFileSync(join(folder, 'long.csv'), `Name,city\nAmanda,Lyon\n${'a'.repeat(20_000)},Ulm\n`);
  const ran = await campaign('links', 'long.csv', '--template', 'card', '--out', 'long-links.csv');
  t.equal(ran.code, 1, ran.stderr);
  t.match(ran.stdout, /2 links, 1 short, 1 refused/);
});

t.test('a file without its photo ends the command with 1, as its proof does', async (t) => {
  const photos = `email,name,photo\na@example.com,Amanda,${origin.url('/gone.png')}\n`;
  writeFileSync(join(folder, 'photos.csv'), photos);
  const files = await campaign('files', 'photos.csv', '--template', 'photo', '-o', 'photos.zip');
  t.equal(files.code, 1, files.stderr);
  t.match(files.stdout, /^1 rows: 1 files, 1 degraded/);
  const proof = await campaign('proof', 'photos.csv', '--template', 'photo');
  t.equal(proof.code, 1, proof.stderr);
  t.match(proof.stdout, /^1 +2 +IMAGE_FAILED +photo /m);
});

t.test('a kept campaign is listed, shown and deleted', async (t) => {
  const ran = await campaign('proof', 'good.csv', '--template', 'card', '--keep', '--json');
  const { id } = (ran.json() as { campaign: { id: string } }).campaign;
  t.match(await kept(), [{ id, name: 'good.csv', rows: 2 }]);
  t.match((await campaign('list')).stdout, `${id}  card      2`);
  t.match((await campaign('show', id)).stdout, /proof +finished +2\/2 +2 fine, none need you\./);
  t.equal((await campaign('delete', id)).code, 0);
  t.same(await kept(), []);
  const gone = await campaign('show', id);
  t.equal(gone.code, 1);
  t.match(gone.stderr, /Campaign not found/);
});

t.test('warm images answer links after the command, until their campaign is deleted', async (t) => {
  const ran = await campaign('warm', 'good.csv', '--template', 'card', '--json');
  t.equal(ran.code, 0, ran.stderr);
  t.match(ran.json(), { campaign: { counts: { warm: 2 } }, out: null, kept: true });
  const { id } = (ran.json() as { campaign: { id: string } }).campaign;
  t.match(await kept(), [{ id }]);
  const answer = await service.get('/v1/render/card?name=Wei&city=Ulm&_version=1');
  t.match(answer.headers['server-timing'], 'warm');
  t.equal((await campaign('delete', id)).code, 0);
});

t.test('data tables are stored, shown, listed and deleted', async (t) => {
  const tables = (...args: string[]) =>
    runPlaten(['tables', ...args], { cwd: folder, environment });
  const made = await tables('put', 'members', 'good.csv', '--key', 'email');
  t.equal(made.code, 0, made.stderr);
  t.equal(made.stdout, 'members: 2 rows by "email", with email, Name, city\n');
  t.match((await tables('get', 'members', '--json')).json(), { name: 'members', rows: 2 });
  t.match((await tables('list')).stdout, /^members +email +2 /m);
  const refused = await tables('put', 'members', 'bad.csv', '--key', 'Nom');
  t.equal(refused.code, 1);
  t.match(refused.stderr, /names the column "Nom"/);
  t.equal((await tables('put', 'members', 'none.csv')).code, 66);
  t.match((await tables('delete', 'members', '--json')).json(), { deleted: ['members'] });
  t.equal((await tables('get', 'members')).code, 1);
});

t.test('what cannot be done ends with its exit code, and leaves nothing', async (t) => {
  const good = ['good.csv', '-t', 'card'];
  const nobody = { PLATEN_PORT: String(await freePort()) };
  const cases: [code: number, message: RegExp, args: string[], environment?: object][] = [
    [66, /There is no file none\.csv/, ['none.csv', '-t', 'card']],
    [2, /--map Name: expected <column>=<variable>/, ['good.csv', '-t', 'card', '-m', 'Name']],
    [2, /required option.*--template/, ['good.csv']],
    [1, /"none"/, ['good.csv', '-t', 'none']],
    [1, /map\.Nom is no column of the list/, ['good.csv', '-t', 'card', '-m', 'Nom=name']],
    [1, /encoding/, ['good.csv', '-t', 'card', '--encoding', 'klingon']],
    [77, /set PLATEN_API_KEY/, good, { PLATEN_API_KEY: '' }],
    [77, /Invalid API key/, good, { PLATEN_API_KEY: 'other' }],
    [69, /start it with platen serve/, good, nobody],
    [69, /No service answers at http:\/\/\[::1\]:/, good, { ...nobody, PLATEN_HOST: '::1' }],
  ];
  for (const [code, message, args, changed = {}] of cases) {
    const ran = await runPlaten(['campaign', 'proof', ...args], {
      cwd: folder,
      environment: { ...environment, ...changed },
    });
    t.equal(ran.code, code, `${args.join(' ')}: ${ran.stderr}`);
    t.match(ran.stderr, message);
  }
  t.same(await kept(), []);
});

t.test('the service of this machine is asked where it listens', async (t) => {
  for (const [host, reachable] of [
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
    ['::1', '[::1]'],
    ['localhost', 'localhost'],
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8::7', '[2001:db8::7]'],
  ] as const) {
    t.equal(reachableHost(host), reachable, host);
  }
});

t.test('a stream that ends before its run is opened again after a pause', async (t) => {
  const [running, finished] = [{ state: 'running' }, { state: 'finished' }];
  let state = running;
  let streams = 0;
  const proxy = createServer((request, response) => {
    const isStream = request.url?.endsWith('/events') === true;
    if (isStream) streams += 1;
    // The run ends by time: a client without a pause opens hundreds of streams until then.
    if (streams === 1 && isStream) setTimeout(() => (state = finished), 500);
    response.end(isStream ? '' : JSON.stringify(state));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => proxy.close());
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const client = new PlatenClient({ baseUrl: address, apiKey: testOrganization.key });
  const started = { id: 'cmp_a', mode: 'proof', rows: 1, ...running } as Campaign;
  const terminal = { isJson: true } as Terminal;
  t.match(await waitForRun({ client, address }, started, terminal), finished);
  t.equal(streams, 2);
});

t.test('files are unpacked into a folder, and no name leads out of it', async (t) => {
  const path = join(folder, 'files.zip');
  writeFileSync(path, zip({ '1.txt': 'first', 'more/2.txt': 'second' }));
  await unpack(path, join(folder, 'tickets'));
  t.equal(readFileSync(join(folder, 'tickets/1.txt'), 'utf8'), 'first');
  t.equal(readFileSync(join(folder, 'tickets/more/2.txt'), 'utf8'), 'second');
  writeFileSync(path, zip({ '../up.txt': 'evil' }));
  await t.rejects(unpack(path, join(folder, 'tickets')), /invalid relative path/);
  t.notOk(existsSync(join(folder, 'up.txt')));
});
