/** A service that is asked to fetch its own renders: chains of them end (RFC 8586). */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import t from 'tap';
import { namesLoop } from '../../src/foundation/product.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { plainImage, sends } from './image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from './published.ts';
import { checkError } from './request.ts';
import { eventually, startService } from './service.ts';

const red = await plainImage('#ff0000');
const looped: (string | undefined)[] = [];
const chain = { next: '' };
const origin = await startOrigin({
  '/a.png': (request, response) => {
    looped.push(request.headers['cdn-loop'] as string | undefined);
    sends(red)(request, response);
  },
  '/b.png': sends(red),
  // Leads back to the service, each time to a render that nobody has asked for yet.
  '/chain': (_, response) => {
    count += 1;
    response.writeHead(302, { location: `${chain.next}&n=${count}` }).end();
  },
});
let count = 0;
t.teardown(() => origin.close());

const photo = { name: 'photo', type: 'image' as const, value: origin.url('/b.png') };
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  const variables = [photo, textVariable('n', '1')];
  const layers = [imageLayer('{{photo}}'), textLayer('{{n}}')];
  publish('photo', { variables, layers });
  publish('covered', { variables, layers, onError: 'image' });
  publish('words', { variables: [textVariable('n', '1')], layers: [textLayer('{{n}}')] });
});
/** A port that leads to the service, which learns its own only when it starts. */
const door = createServer((socket) => {
  const through = connect(service.port, '127.0.0.1');
  pipeline(socket, through, socket, () => undefined);
}).listen(0, '127.0.0.1');
await once(door, 'listening');
t.teardown(() => door.close());
const { port } = door.address() as AddressInfo;
const service = await startService(t, {
  dataDirectory,
  origins: [origin, { port }],
  environment: { PLATEN_PUBLIC_URL: `http://images.example:${port}` },
});
const headers = { 'CDN-Loop': 'other-cdn; x=1, platen' };

t.test('a fetch says whose it is', async (t) => {
  t.equal((await service.render(`photo?photo=${origin.url('/a.png')}`)).status, 200);
  t.same(looped, ['platen']);
});

t.test('a render for another render’s fetch fetches nothing', async (t) => {
  const path = `photo?photo=${origin.url('/a.png')}?x=2`;
  const message = checkError(t, await service.render(path, { headers }), 400, 'BAD_REQUEST');
  t.match(message, /CDN-Loop/);
  checkError(t, await service.render('covered?n=9', { headers }), 400, 'BAD_REQUEST');
  t.equal(looped.length, 1, 'the origin was not asked');
  t.equal((await service.render('words?n=2', { headers })).status, 200, 'text needs no fetch');
  t.equal((await service.render(path)).status, 200);
  t.equal((await service.render(path, { headers })).status, 200, 'nor does what is known');
});

t.test('a chain of renders ends at once', async (t) => {
  chain.next = `http://127.0.0.1:${port}/v1/render/photo?photo=${encodeURIComponent(origin.url('/chain'))}`;
  const answer = await service.render(`photo?photo=${encodeURIComponent(origin.url('/chain?0'))}`);
  checkError(t, answer, 400, 'BAD_REQUEST');
  t.ok(await eventually(async () => (await service.metric('platen_render_flights')) === 0));
  t.equal(count, 1, 'one fetch, whose redirect the service refused to follow on');
});

t.test('the service’s public address is no source of images', async (t) => {
  for (const host of [`images.example:${port}`, `IMAGES.example.:${port}`]) {
    const target = encodeURIComponent(`http://${host}/v1/render/words.png`);
    const message = checkError(
      t,
      await service.render(`photo?photo=${target}`),
      400,
      'BAD_REQUEST',
    );
    t.match(message, /"photo".*this service itself/, host);
  }
});

t.test('CDN-Loop is a list of ids with parameters', (t) => {
  for (const value of ['platen', ' Platen ', 'a, platen', 'platen; v=1', 'a;b="x",platen;c'])
    t.equal(namesLoop(value), true, value);
  for (const value of ['', 'platens', 'a; platen', 'platen.example', 'a,b'])
    t.equal(namesLoop(value), false, value);
  t.end();
});
