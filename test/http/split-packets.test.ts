/** Requests in pieces: a packet may end at any byte. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { jsonReply } from '../../src/http/reply.ts';
import { postRoute, route, startServer } from '../fixtures/api-server.ts';
import { head, statusesOf } from '../fixtures/raw-http.ts';
import { isCutInVersion } from '../fuzz/classify.ts';

const { port, server } = await startServer(t, [
  route('/hit', () => jsonReply(200, { hit: 1 })),
  postRoute(
    '/upload',
    async (each) => jsonReply(201, { bytes: (await each.readBody()).length }),
    9,
  ),
]);

/** Sends each part in a packet of its own, which the server reads alone. Resolves to the statuses of the answers. */
async function sendParts(parts: readonly string[], answers: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  let text = '';
  const isAnswered = new Promise<void>((resolve) => {
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (statusesOf(text).length === answers) resolve();
    });
  });
  await once(socket, 'connect');
  for (const part of parts) {
    // The server is on this event loop: it accepts in one turn, and reads in the next one.
    for (let count = 0; count < 3; count += 1) await turn();
    socket.write(part, 'latin1');
  }
  await isAnswered;
  socket.destroy();
  return statusesOf(text).join(' ');
}

/** Whether the build in use refuses these parts. */
function isRefused(parts: readonly [string, string]): boolean {
  const [line = ''] = parts[0].split('\r\n\r\n').slice(-1);
  return isCutInVersion(parts) && !line.includes('\r\n');
}

const get = head('GET', '/hit?name=Grace', 'Accept: image/*');
const requests: [title: string, bytes: string, statuses: string][] = [
  ['a link', get, '200'],
  ['HEAD', head('HEAD', '/hit'), '200'],
  ['an unknown path', head('GET', '/none'), '404'],
  ['a body', `${head('POST', '/upload', 'Content-Length: 5')}hello`, '201'],
  [
    'chunks',
    `${head('POST', '/upload', 'Transfer-Encoding: chunked')}5\r\nhello\r\n0\r\n\r\n`,
    '201',
  ],
  ['two requests', get + get, '200 200'],
];

for (const [title, bytes, statuses] of requests) {
  t.test(`${title}: cut anywhere it is answered as it is whole`, async (t) => {
    const { length } = statuses.split(' ');
    t.equal(await sendParts([bytes], length), statuses);
    for (let at = 1; at < bytes.length; at += 1) {
      const parts = [bytes.slice(0, at), bytes.slice(at)] as const;
      const answer = await sendParts(parts, length);
      if (isRefused(parts)) t.match(answer, /505$/, parts[0]);
      else t.equal(answer, statuses, parts[0]);
    }
    const single = bytes.split('');
    if (!isCutInVersion(single)) t.equal(await sendParts(single, length), statuses);
    t.equal(server.openRequests, 0);
  });
}
