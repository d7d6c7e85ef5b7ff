/** Callers without a key share a part of the thread that answers; links and health checks need none of it. */
import t from 'tap';
import { endpoint, routesOf } from '../../src/api/endpoint.ts';
import { validateOrganization } from '../../src/api/keys.ts';
import { pageShared } from '../../src/api/request/page-file.ts';
import { endpoints } from '../../src/app.ts';
import { organizationShares } from '../../src/foundation/thread-shares.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { mcpRoute } from '../../src/mcp/route.ts';
import { notFoundRoutes } from '../../src/pages/pages.ts';
import { request } from '../e2e/request.ts';
import { startServer } from '../fixtures/api-server.ts';
import { createStores } from '../store/store-fixture.ts';

const stores = createStores(t);
const addresses = { innerUrl: () => '', publicUrl: () => 'https://images.example.com' };

t.test('answers without a key, but links and health checks, take of one share', async (t) => {
  const taken: string[] = [];
  const take = organizationShares.take.bind(organizationShares);
  organizationShares.take = (organizationUid, bytes) => {
    taken.push(organizationUid);
    return take(organizationUid, bytes);
  };
  t.teardown(() => Object.assign(organizationShares, { take }));
  const open = endpoints.filter(
    ({ scope, id }) => scope === undefined && id !== validateOrganization.id,
  );
  const links = ['render', 'shortLink'];
  const health = ['healthz', 'readyz'];
  const answer = () => jsonReply(200, {});
  // What an endpoint answers does not matter here.
  const declared = open.map((each) => endpoint(each, () => answer));
  const { port } = await startServer(t, [
    ...routesOf(declared, {}),
    ...routesOf([validateOrganization], stores),
    mcpRoute({ ...stores, ...addresses }),
    ...notFoundRoutes(),
  ]);
  const others = [
    ['GET', '/no/such/page'],
    ['GET', '/docs/'],
    ['GET', '/v1/validate-organization'],
    ['POST', '/mcp'],
  ] as const;
  const asked = [
    ...open.map(({ id, path }) => ['GET', path.replaceAll(/[{}]/g, ''), id] as const),
    ...others,
  ];
  for (const [method, path, id = ''] of asked) {
    taken.length = 0;
    const { status } = await request(port, path, { method });
    t.ok([200, 308, 401, 404].includes(status), `${path} ${status}`);
    t.same(taken, links.includes(id) || health.includes(id) ? [] : [''], path);
  }
});

t.test('beyond the share callers wait or get 503, and links are answered meanwhile', async (t) => {
  const declaration = { ...pageShared, route: 'r', summary: '', description: '', answers: {} };
  const page = endpoint({ ...declaration, id: 'page', path: '/page' }, () => () => {
    const startedUs = process.threadCpuUsage().user;
    while (process.threadCpuUsage().user < startedUs + 10_000);
    return jsonReply(200, {});
  });
  const link = { ...declaration, id: 'link', path: '/link', isUnshared: true } as const;
  const drawn = endpoint(link, () => () => jsonReply(200, {}));
  const { port } = await startServer(t, routesOf([page, drawn], {}));
  const leaving = new AbortController();
  let answered = 0;
  const answers = Array.from({ length: 320 }, async () => {
    const answer = await request(port, '/page', { agent: false, signal: leaving.signal });
    answered += 1;
    return answer;
  });
  const refusal = await Promise.any(
    answers.map(async (each) => {
      const answer = await each;
      if (answer.status !== 503) throw new Error('another answer');
      return answer;
    }),
  );
  t.match(refusal.headers, { 'retry-after': /^\d+$/ });
  const message = /^Callers without a key ask for too much at a time/;
  t.match(refusal.json(), { error: { code: 'OVERLOADED', message } });
  t.equal((await request(port, '/link')).status, 200);
  t.ok(answered < answers.length, 'and other pages still wait');
  leaving.abort();
  await Promise.allSettled(answers);
});
