/** What one origin does is held against that one alone, and takes no more than its share. */
import t from 'tap';
import { startTestDns } from '../fixtures/images-dns.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { loadFrom, startLoader, settled } from '../fixtures/images-loader.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import type { Handler } from '../fixtures/images-origin.ts';
import { organizationSlots } from '../../src/images/turns.ts';
import { imageLoaderDefaults } from '../../src/images/config.ts';

const png = pngOf({ widthPx: 30, heightPx: 20 });
const { fetchesPerHostMax } = imageLoaderDefaults;
const circuitFailures = 3;
const perOrganization = organizationSlots(fetchesPerHostMax);

t.test('a slow host that redirects to a healthy one does not shut that one off', async (t) => {
  const victim = await startOrigin({
    '/a.png': (_request, response) => response.end(png),
    // A little slower than what is left of the time.
    '/b.png': (_request, response) => void setTimeout(() => response.end(png), 2000),
  });
  const evil = await startOrigin({
    '/late': (request, response) => {
      const location = `${victim.url('/b.png')}?${String(request.url)}`;
      setTimeout(() => response.writeHead(302, { location }).end(), 1100);
    },
  });
  const { load, fail } = startLoader(t, [victim, evil], { totalTimeoutMs: 2000, circuitFailures });
  // The first fetch of all loads code.
  await load(victim.url('/a.png?first'));
  const links = Array.from({ length: circuitFailures + 2 }, (_, n) => evil.url(`/late?${n}`));
  const errors = await Promise.all(links.map(fail));
  for (const error of errors) t.match(error, { reason: 'timeout' });
  t.equal(victim.requests.length, 1 + links.length, 'all have come to the healthy one');
  t.equal((await load(victim.url('/a.png'))).image.widthPx, 30);
  t.match(await fail(evil.url('/late?again')), { message: /failed repeatedly/ });
});

t.test('another spelling of its name gives a host no more fetches at a time', async (t) => {
  const { server } = await startTestDns(t);
  const stalled = await startOrigin({ '/stall': () => undefined });
  const other = await startOrigin({ '/a.png': (_request, response) => response.end(png) });
  const options = { dnsServers: [server], firstByteTimeoutMs: 700 };
  const { load, fail } = startLoader(t, [stalled, other], options);
  const links = Array.from({ length: 2 * fetchesPerHostMax }, (_, n) => {
    const name = ['evil.test', 'evil.test.', 'EVIL.test'][n % 3];
    return `http://${name}:${stalled.port}/stall?${n}`;
  });
  const failures = links.map(fail);
  t.ok(await settled(() => stalled.requests.length >= perOrganization));
  // A fetch of another host, from name to bytes, is time enough for more to come.
  await load(`http://good.test:${other.port}/a.png`);
  t.equal(stalled.requests.length, perOrganization);
  await Promise.all(failures);
});

t.test('an organization whose links hang at a host leaves fetches of it to others', async (t) => {
  const handlers: Record<string, Handler> = {
    '/hang': () => undefined,
    '/a.png': (_request, response) => response.end(png),
  };
  const options = { firstByteTimeoutMs: 700, circuitFailures };
  const { load, fail, origin, url } = await loadFrom(t, handlers, options);
  // The first fetch of all loads code.
  await load(url('/a.png?first'));
  const hanging = Array.from({ length: 2 * fetchesPerHostMax }, (_, n) => fail(url(`/hang?${n}`)));
  t.ok(await settled(() => origin.requests.length > perOrganization));
  const requester = { organizationUid: 'org_other', templateUid: 'template' };
  const loadOther = async (path: string): Promise<number> =>
    (await load(url(path), undefined, requester)).image.widthPx;
  t.equal(await loadOther('/a.png?beside'), 30);
  await Promise.all(hanging);
  t.match(await fail(url('/a.png?own')), { message: /failed repeatedly/ });
  t.equal(await loadOther('/a.png?own'), 30, 'that organization alone stops asking');
});

t.test('bodies that stall leave capacity for those of other hosts', async (t) => {
  const { server } = await startTestDns(t);
  const large = Buffer.concat([png, Buffer.alloc(820_000)]);
  let stalling = 0;
  const handlers: Record<string, Handler> = {
    '/stall': (_request, response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      response.write(large, () => stalling++);
    },
    '/a.png': (_request, response) => response.end(large),
  };
  const limits = { sourceBytesMax: 1_000_000, bytesInFlightMax: 8_000_000, totalTimeoutMs: 1000 };
  const { load, fail, origin } = await loadFrom(t, handlers, { dnsServers: [server], ...limits });
  const failures = Array.from({ length: fetchesPerHostMax }, (_, n) =>
    fail(`http://evil.test:${origin.port}/stall?${n}`),
  );
  t.ok(await settled(() => stalling > 1));
  t.equal((await load(`http://good.test:${origin.port}/a.png`)).image.widthPx, 30);
  const reasons = (await Promise.all(failures)).map((error) => error.reason);
  t.same(new Set(reasons), new Set(['timeout', 'overloaded']), 'its own share is used up');
});
