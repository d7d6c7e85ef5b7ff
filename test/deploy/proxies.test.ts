/** The proxies of deploy/ in front of one service. */
import type { Socket } from 'node:net';
import t from 'tap';
import {
  boundsRequests,
  checkProxy,
  converse,
  refusesBrokenHeads,
  request,
  startUpstream,
} from './proxy-parts.ts';
import { needs, startCaddy, startNginx } from './start-proxies.ts';

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
  const open = await startCaddy(t, upstream.port);
  // It streams: what a slow reader leaves is bounded by the service itself.
  await checkProxy(t, (pieces) => converse(open(), pieces), upstream);
});
