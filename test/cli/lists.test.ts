/** Lists of all kinds by the command line: sheets, endings of names, and proxies before the service. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { needs, runNginx } from '../deploy/start-proxies.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { freePort, startService } from '../e2e/service.ts';
import { runPlaten } from './run-platen.ts';
import type { Ran } from './run-platen.ts';

// Each command is a process of its own; on a busy machine they take seconds.
t.setTimeout(180_000);

const folder = t.testdir();
const dataDirectory = fillDataDirectory(join(folder, 'data'), ({ publish }) => {
  const variables = [textVariable('name', 'friend'), textVariable('ort', '')];
  publish('card', { variables, layers: [textLayer('{{name}} {{ort}}')] });
});
const service = await startService(t, { dataDirectory });

const fixtures = join(import.meta.dirname, '../mailings/lists/fixtures');
for (const name of ['members.ods', 'members.xlsx']) {
  writeFileSync(join(folder, name), readFileSync(join(fixtures, name)));
}
const large = `name\n${'Amanda\n'.repeat(300_000)}`;
for (const [name, text] of Object.entries({
  'tabbed.tsv': 'name\tort\n"Best" Ltd\tUlm\n',
  'answer.json': '{"total":1,"data":[{"name":"Anna"}]}',
  'list.json': '[{"name":"Anna","ort":"Ulm"}]',
  'contacts.vcf': 'BEGIN:VCARD\nFN:Anna\nEMAIL:a@example.com\nEND:VCARD\n',
  'large.csv': large,
})) {
  writeFileSync(join(folder, name), text);
}

function platen(args: readonly string[], port: number = service.port): Promise<Ran> {
  const environment = { PLATEN_API_KEY: testOrganization.key, PLATEN_PORT: String(port) };
  return runPlaten([...args], { cwd: folder, environment });
}

const proof = (list: string, ...args: string[]): Promise<Ran> =>
  platen(['campaign', 'proof', list, '--template', 'card', ...args]);

t.test('a list is read by the ending of its name', async (t) => {
  for (const [name, kind] of Object.entries({
    'tabbed.tsv': 'csv utf-8 tab',
    'list.json': 'json utf-8',
    'contacts.vcf': 'vcard utf-8',
  })) {
    const ran = await proof(name);
    t.match(ran.stderr, `1 row (${kind})`, name);
    t.match(ran.stdout, /^saved|fine|falls back/m, name);
  }
  const wrapped = await proof('answer.json');
  t.not(wrapped.code, 0);
  t.match(wrapped.stderr, /one JSON object\. Its key "data" has an array/);
});

t.test('a workbook with several sheets asks for one, and leaves nothing', async (t) => {
  for (const list of ['members.ods', 'members.xlsx']) {
    const ran = await proof(list);
    t.equal(ran.code, 2, ran.stderr);
    t.match(
      ran.stderr,
      `${list} has several sheets with rows: name the one that is the list with --sheet. It has "Mitglieder 2026", "Orte".`,
    );
    t.equal(ran.stdout, '');
  }
  const links = await platen(['campaign', 'links', 'members.ods', '--template', 'card']);
  t.match(links.stderr, /several sheets.*--sheet in a command: "Mitglieder 2026", "Orte"/);
  const headers = { 'X-API-Key': testOrganization.key };
  t.match((await service.get('/v1/campaigns', { headers })).json(), { total: 0 });
  const named = await proof('members.ods', '--sheet', 'Orte');
  t.match(named.stderr, '1 row (ods Orte)');

  const table = await platen(['tables', 'put', 'towns', 'members.ods', '--key', 'Ort']);
  t.match(table.stderr, /several sheets with rows.*"Mitglieder 2026", "Orte"/);
  const args = ['tables', 'put', 'towns', 'members.ods', '--key', 'Ort', '--sheet', 'Orte'];
  t.equal((await platen(args)).stdout, 'towns: 1 row by "Ort", with Ort, Land\n');
});

t.test(
  'a list that nginx refuses says who refused it, and what to do',
  needs('nginx', '-v'),
  async (t) => {
    const port = await freePort();
    const location = `location / { proxy_pass http://127.0.0.1:${service.port}; }`;
    const http = `server { listen 127.0.0.1:${port}; client_max_body_size 1m; proxy_http_version 1.1; ${location} }`;
    await runNginx(t, port, t.testdir(), http);
    const message =
      /A proxy in front of the service \(nginx\S*\) refused the list of 2\.0 MiB with 413, and nothing of it is kept\. The proxy takes less .* 512 MiB/;
    const ran = await platen(['campaign', 'proof', 'large.csv', '--template', 'card'], port);
    t.match(ran.stderr, message);
    t.equal(ran.code, 1);
    t.match(
      (await platen(['tables', 'put', 'big', 'large.csv', '--key', 'name'], port)).stderr,
      message,
    );
  },
);

t.test('other answers that are not of the service are explained, too', async (t) => {
  let status = 502;
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end('{"campaigns":[],"total":0,"limit":1,"offset":0}');
      return;
    }
    request
      .resume()
      .on('end', () => response.writeHead(status).end(status === 504 ? '' : '<html>'));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const send = (): Promise<Ran> => platen(['campaign', 'proof', 'list.json', '-t', 'card'], port);
  const sentence = 'A proxy in front of the service refused the list of 1 KiB with';
  for (const [given, reason] of [
    [502, /got no answer of the service, or takes less than it does\. Send it again\./],
    [503, /does not reach the service now/],
    [504, /did not wait until the service had read it.*wait 10 minutes/],
  ] as const) {
    status = given;
    const ran = await send();
    t.match(ran.stderr, `${sentence} ${given}`);
    t.match(ran.stderr, reason);
    t.equal(ran.code, 69);
  }
  status = 418;
  t.match((await send()).stderr, 'The service answered 418.');
});
