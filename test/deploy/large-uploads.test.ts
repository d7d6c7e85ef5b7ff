/** The largest lists and tables through the proxies of deploy/, to a service as it is started, and its events back. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text as readBody } from 'node:stream/consumers';
import t from 'tap';
import type { Test } from 'tap';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { extent } from '../helpers/extent.ts';
import { needs, needsNginxScripts, startCaddy, startHaproxy, startNginx } from './start-proxies.ts';

const mebibyte = 1024 * 1024;
/** Above the bound of all other paths; in full, the largest that the service takes. */
const listBytes = extent(12, 512) * mebibyte;
const tableBytes = extent(12, 256) * mebibyte;

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('card', { variables: [textVariable('name', '')], layers: [textLayer('{{name}}')] });
});
const { port } = await startService(t, {
  dataDirectory,
  environment: { PLATEN_STORAGE_MIB: '8192', PLATEN_TRUSTED_PROXIES: '127.0.0.1' },
});

const proxies: [
  name: string,
  needed: { skip?: string },
  start: (t: Test) => Promise<() => Socket>,
][] = [
  ['nginx.conf', needs('nginx', '-v'), (t) => startNginx(t, 'nginx.conf', [port])],
  ['nginx-fleet.conf', needsNginxScripts, (t) => startNginx(t, 'nginx-fleet.conf', [port])],
  ['Caddyfile', needs('caddy', 'version'), (t) => startCaddy(t, port)],
  ['haproxy.cfg', needs('haproxy', '-v'), (t) => startHaproxy(t, [port])],
];

for (const [name, needed, start] of proxies) {
  t.test(`${name} passes lists, tables and events`, needed, async (t) => {
    const open = await start(t);
    const query = 'template=card&mode=proof';
    const made = await send(open, 'POST', `/v1/campaigns?${query}`, rows('name', listBytes));
    const text = await readBody(made);
    t.equal(made.statusCode, 202, text.slice(0, 300));
    const { id } = JSON.parse(text) as { id: string };
    const events = await send(open, 'GET', `/v1/campaigns/${id}/events`);
    const [first] = (await once(events, 'data')) as [Buffer];
    t.match(String(first), /^event: progress\n/, 'an event comes');
    t.notMatch(String(first), '"finished"', 'and does not wait for the last one');
    events.destroy();
    const deleted = await send(open, 'DELETE', `/v1/campaigns/${id}`);
    t.equal(deleted.resume().statusCode, 204);

    const put = await send(open, 'PUT', '/v1/tables/members?key=name', rows('name', tableBytes));
    const answer = await readBody(put);
    t.match(String(put.statusCode), /^20[01]$/, answer.slice(0, 300));

    const other = await send(open, 'POST', '/v1/assets', rows('name', 12 * mebibyte)).catch(
      // The proxy may close the connection before it has read the body.
      () => undefined,
    );
    // Caddy before 2.8 answers 502.
    t.match(
      String(other?.statusCode ?? 413),
      /^(?:413|502)$/,
      'other paths keep their small bound',
    );
  });
}

/** A list of so many bytes, with another name in each row. */
function rows(column: string, bytes: number): { bytes: number; chunks: () => Generator<Buffer> } {
  const header = `${column},note\n`;
  const end = '\n';
  return {
    bytes,
    *chunks() {
      let left = bytes - header.length;
      yield Buffer.from(header);
      for (let row = 1; left > 0;) {
        let chunk = '';
        for (; chunk.length < 65_536 && chunk.length < left; row += 1) {
          chunk += `Amanda ${row},${'x'.repeat(530)}${end}`;
        }
        const cut = chunk.length > left ? chunk.slice(0, left - 1) + end : chunk;
        left -= cut.length;
        yield Buffer.from(cut);
      }
    },
  };
}

async function send(
  open: () => Socket,
  method: string,
  path: string,
  body?: ReturnType<typeof rows>,
): Promise<IncomingMessage> {
  const headers = {
    'X-API-Key': testOrganization.key,
    Connection: 'close',
    ...(body && { 'Content-Type': 'text/csv', 'Content-Length': String(body.bytes) }),
  };
  const host = 'images.example.com';
  const outgoing = httpRequest({ method, path, host, headers, createConnection: open });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  if (body === undefined) outgoing.end();
  // An answer before the end of the body closes the connection.
  else await Promise.race([pipeline(Readable.from(body.chunks()), outgoing), answered]);
  const [answer] = await answered;
  return answer;
}
