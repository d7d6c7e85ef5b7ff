/** The proxies of deploy/ in front of one service. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { connect as connectPlain } from 'node:net';
import t from 'tap';
import { freePort } from '../e2e/service.ts';
import {
  boundsRequests,
  checkProxy,
  converse,
  refusesBrokenHeads,
  request,
  startUpstream,
} from './proxy-parts.ts';
import { deploy, needs, startNginx, startProxy } from './start-proxies.ts';

t.test('nginx', needs('nginx', '-v'), async (t) => {
  const upstream = await startUpstream(t);
  const open = await startNginx(t, 'nginx.conf', [upstream.port]);
  const hold = (): Socket => {
    const socket = open();
    socket.on('error', () => undefined);
    socket.write(request('/large'));
    socket.pause();
    return socket;
  };
  await checkProxy(t, (pieces) => converse(open(), pieces), upstream, { hold });
  await refusesBrokenHeads(t, open);
  upstream.asked.length = 0;
  await boundsRequests(t, upstream, open);
});

t.test('Caddy', needs('caddy', 'version'), async (t) => {
  const upstream = await startUpstream(t);
  const folder = t.testdir();
  const port = await freePort();
  const path = join(folder, 'Caddyfile');
  const settings = readFileSync(join(deploy, 'Caddyfile'), 'utf8')
    // Certificates come from the network.
    .replace(
      /^images\.example\.com/m,
      `http://127.0.0.1:${port}, http://images.example.com:${port}`,
    )
    .replace('127.0.0.1:3000', `127.0.0.1:${upstream.port}`)
    .replace(/^\{/m, '{\n\tadmin off');
  writeFileSync(path, settings);
  await startProxy(t, port, 'caddy', ['run', '--adapter', 'caddyfile', '--config', path], folder);
  const open = (): Socket => connectPlain(port, '127.0.0.1');
  // It streams: what a slow reader leaves is bounded by the service itself.
  await checkProxy(t, (pieces) => converse(open(), pieces), upstream);
});
