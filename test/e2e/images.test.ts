/** Images of links on a started service: the operator's settings, why one failed, and chains of renders (RFC 8586). */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import t from 'tap';
import type { Test } from 'tap';
import { namesLoop } from '../../src/foundation/product.ts';
import { startDns } from '../fixtures/images-dns.ts';
import { startOrigin, startRawOrigin } from '../fixtures/images-origin.ts';
import { checkSame, image, pixelAt, plainImage, sends } from './image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from './published.ts';
import { checkError, request } from './request.ts';
import { eventually, startService } from './service.ts';

const [red, green] = [await plainImage('#ff0000', 64, 64), await plainImage('#00ff00')];
const looped: (string | undefined)[] = [];
const chain = { next: '', count: 0 };
const silent = await startRawOrigin(() => undefined);
const origin = await startOrigin({
  '/red.png': sends(red),
  '/my%20red.png': sends(red),
  '/a.png': (incoming, response) => {
    looped.push(incoming.headers['cdn-loop'] as string | undefined);
    sends(red)(incoming, response);
  },
  // Leads back to the service, each time to a render that nobody has asked for yet.
  '/chain': (_, response) => {
    chain.count += 1;
    response.writeHead(302, { location: `${chain.next}&n=${chain.count}` }).end();
  },
  '/heavy.png': sends(Buffer.concat([red, Buffer.alloc(1 << 20)])),
  // Sound at its head, so that only the thread that draws finds the damage.
  '/garbage.png': sends(Buffer.from(red).fill(7, red.indexOf('IDAT') + 6, red.indexOf('IEND') - 8)),
});
const dns = await startDns((name, type) => {
  if (name === 'nowhere.test') return undefined;
  const address = name === 'images.test' ? '127.0.0.1' : '10.0.0.1';
  return type === 'A' ? [address] : [];
});
t.teardown(async () => Promise.all([origin.close(), silent.close(), dns.close()]));

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveAsset }) => {
  const photo = { name: 'hero image', type: 'image' as const, value: saveAsset(green) };
  const variables = [photo, textVariable('n', '1')];
  const layers = [imageLayer('{{hero image}}'), textLayer('{{n}}', { width: 200 })];
  publish('strict', { variables, layers });
  publish('lenient', { variables, layers, onImageError: 'default' });
  const remote = [{ ...photo, value: origin.url('/red.png') }, textVariable('n', '1')];
  publish('covered', { variables: remote, layers, onError: 'image' });
  publish('words', { variables: [textVariable('n', '1')], layers: [textLayer('{{n}}')] });
});
/** A port that leads to the service, which learns its own only when it starts. */
const door = createServer((socket) => {
  pipeline(socket, connect(service.port, '127.0.0.1'), socket, () => undefined);
}).listen(0, '127.0.0.1');
await once(door, 'listening');
t.teardown(() => door.close());
const { port } = door.address() as AddressInfo;
const service = await startService(t, {
  dataDirectory,
  origins: [origin, silent, { port }],
  environment: {
    PLATEN_IMAGES_DNS_SERVERS: dns.server,
    PLATEN_IMAGES_TOTAL_TIMEOUT_MS: '1000',
    PLATEN_IMAGES_SOURCE_MIB: '1',
    PLATEN_PUBLIC_URL: `http://images.example:${port}`,
  },
});
const targetOf = (uid: string, value: string): string =>
  `${uid}?hero+image=${encodeURIComponent(value)}`;

/** The message of the 400 that an image value is answered with. */
async function refusal(t: Test, value: string): Promise<string> {
  const answer = await service.render(targetOf('strict', value));
  const message = checkError(t, answer, 400, 'BAD_REQUEST');
  t.match(message, 'hero image', `${value.slice(0, 80)}: the message names the variable`);
  return message;
}

const failures: [cause: string, source: string, message: RegExp][] = [
  ['dns', `http://nowhere.test:${origin.port}/a.png`, /nowhere\.test/],
  ['timeout', silent.url('/a.png'), /could not be reached within 0\.6 s/],
  ['blocked', `http://inside.test:${origin.port}/a.png`, /public/],
  ['too_large', origin.url('/heavy.png'), /is larger than 1 MiB, the limit/],
  ['decode', origin.url('/garbage.png'), /damaged/],
];

t.test('a failed image is answered in words, and logged and counted by its cause', async (t) => {
  for (const [cause, source, message] of failures) {
    const line = `platen_failures_total{route="render",cause="${cause}"}`;
    for (const [uid, status] of [
      ['strict', 400],
      ['lenient', 200],
    ] as const) {
      const before = await service.metric(line);
      const answer = await service.render(targetOf(uid, source));
      t.equal(answer.status, status, source);
      if (status === 400) t.match(answer.text, message, source);
      t.equal(await service.metric(line), before + 1, `${uid} ${source}`);
      const id = String(answer.headers['x-request-id']);
      const isLogged = (): boolean =>
        // A slow one is a warning.
        `${service.process.stdout}\n${service.process.stderr}`
          .split('\n')
          .some((text) => text.includes(id) && text.includes(`"cause":"${cause}"`));
      t.ok(await eventually(isLogged), `${uid} ${source}: in the log`);
    }
  }
});

t.test('a refused address is not repeated', async (t) => {
  t.notMatch(await refusal(t, 'http://<script>alert(1)</script>/'), '<script>');
});

t.test('names that the environment opens are drawn, however a link writes them', async (t) => {
  const asked = await service.render(targetOf('strict', origin.url('/red.png')));
  t.same(pixelAt(await image(t, asked), 220, 20), [255, 0, 0]);
  const inLink = `data:image/png;base64,${red.toString('base64')}`;
  await checkSame(t, await service.render(targetOf('strict', inLink)), asked, 'a data: URL');
  const address = `http://images.test:${origin.port}/my%20red.png`;
  for (const value of [encodeURIComponent(address), `+${address}+`]) {
    await checkSame(t, await service.render(`strict?hero+image=${value}`), asked, value);
  }
  const nested = '/red.png?color=red&size=2';
  await service.render(`strict?hero+image=${origin.url(nested)}`);
  t.ok(origin.requests.includes(`GET ${nested}`), 'its own query is asked for');
});

t.test('a request that is wrong asks no origin', async (t) => {
  const before = origin.requests.length;
  const photo = `hero+image=${origin.url('/red.png')}?unasked`;
  for (const target of [
    `nobody?${photo}`,
    `strict?_scale=9&${photo}`,
    `strict?_version=99&${photo}`,
    `strict?n=${'x'.repeat(2001)}&${photo}`,
  ]) {
    t.ok((await service.render(target)).status >= 400, target.slice(0, 50));
  }
  t.equal(origin.requests.length, before);
});

const headers = { 'CDN-Loop': 'other-cdn; x=1, platen' };

t.test('a fetch says whose it is, and a render for such a fetch fetches nothing', async (t) => {
  t.equal((await service.render(targetOf('strict', origin.url('/a.png')))).status, 200);
  t.same(looped, ['platen']);
  const path = targetOf('strict', `${origin.url('/a.png')}?x=2`);
  const message = checkError(t, await service.render(path, { headers }), 400, 'BAD_REQUEST');
  t.match(message, /CDN-Loop/);
  checkError(t, await service.render('covered?n=9', { headers }), 400, 'BAD_REQUEST');
  t.equal(looped.length, 1, 'the origin was not asked');
  t.equal((await service.render('words?n=2', { headers })).status, 200, 'text needs no fetch');
  t.equal((await service.render(path)).status, 200);
  t.equal((await service.render(path, { headers })).status, 200, 'nor does what is known');
});

t.test('a chain of renders ends at once', async (t) => {
  chain.next = `http://127.0.0.1:${port}/v1/render/${targetOf('strict', origin.url('/chain'))}`;
  await refusal(t, origin.url('/chain?0'));
  t.ok(await eventually(async () => (await service.metric('platen_render_flights')) === 0));
  t.equal(chain.count, 1, 'one fetch, whose redirect the service refused to follow on');
});

t.test('the service’s public address is no source of images', async (t) => {
  for (const host of [`images.example:${port}`, `IMAGES.example.:${port}`]) {
    const message = await refusal(t, `http://${host}/v1/render/words.png`);
    t.match(message, /this service itself/, host);
  }
  t.equal((await request(port, '/v1/render/words.png', { agent: false })).status, 200);
  const described = (await service.get('/openapi.json')).json();
  t.match(described, { servers: [{ url: `http://images.example:${port}` }] });
});

t.test('CDN-Loop is a list of ids with parameters', async (t) => {
  for (const value of ['platen', ' Platen ', 'a, platen', 'platen; v=1', 'a;b="x",platen;c'])
    t.equal(namesLoop(value), true, value);
  for (const value of ['', 'platens', 'a; platen', 'platen.example', 'a,b'])
    t.equal(namesLoop(value), false, value);
});
