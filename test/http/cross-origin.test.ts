/** Which pages of other origins may call the API, as a browser asks and reads. */
import t from 'tap';
import { emptyReply, jsonReply } from '../../src/http/reply.ts';
import type { Route } from '../../src/http/server.ts';
import { AppError } from '../../src/foundation/errors.ts';
import { request } from '../e2e/request.ts';
import { startServer } from '../fixtures/api-server.ts';

const listed = 'https://tools.example.com';

const routes: Route[] = [
  {
    name: 'templates',
    path: '/v1/templates',
    errorShape: 'organization',
    bodyBytesMax: 100,
    get: ({ apiKey }) => {
      if (apiKey !== 'key') throw new AppError('UNAUTHORIZED', 'Invalid API key');
      return jsonReply(200, { templates: [] }, { ETag: '"a"' });
    },
    put: async ({ ifMatch }) => jsonReply(200, { ifMatch }),
    delete: () => emptyReply(204),
  },
  {
    name: 'render',
    path: '/v1/render/:uid',
    errorShape: 'render',
    get: () => ({ status: 200, headers: ['Access-Control-Allow-Origin', '*'], body: 'image' }),
  },
  { name: 'home', path: '/', errorShape: 'render', get: () => jsonReply(200, {}) },
];

/** The port of a server with these routes; without origins none is listed. */
async function start(corsOrigins: string[] = []): Promise<number> {
  return (await startServer(t, routes, { corsOrigins })).port;
}

const preflight = {
  Origin: listed,
  'Access-Control-Request-Method': 'PUT',
  'Access-Control-Request-Headers': 'x-api-key,content-type',
};

t.test('a preflight of a listed origin gets the methods and headers of the address', async (t) => {
  const port = await start([listed, 'http://localhost:8080']);
  const answer = await request(port, '/v1/templates', { method: 'OPTIONS', headers: preflight });
  t.equal(answer.status, 204);
  t.match(answer.headers, {
    'access-control-allow-origin': listed,
    'access-control-allow-methods': 'GET, HEAD, PUT, DELETE',
    'access-control-allow-headers':
      'X-API-Key, Content-Type, Idempotency-Key, If-Match, If-None-Match',
    'access-control-max-age': '7200',
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  });
  t.equal(answer.headers['access-control-allow-credentials'], undefined);
  const render = await request(port, '/v1/render/a', { method: 'OPTIONS', headers: preflight });
  t.equal(render.status, 204, 'for templates that ask for a key');
});

t.test('anything else is no preflight, and changes nothing', async (t) => {
  const port = await start([listed]);
  const withoutMethod = { Origin: listed };
  for (const [path, headers] of [
    ['/v1/templates', { ...preflight, Origin: 'https://evil.example' }],
    ['/v1/templates', { ...preflight, Origin: 'null' }],
    ['/v1/templates', { ...preflight, Origin: `${listed}.evil.example` }],
    ['/v1/templates', { ...preflight, Origin: listed.toUpperCase() }],
    ['/v1/templates', withoutMethod],
    ['/', preflight],
  ] as const) {
    const answer = await request(port, path, { method: 'OPTIONS', headers });
    t.equal(answer.status, 405, `${path} ${headers.Origin}`);
    t.equal(answer.headers['access-control-allow-methods'], undefined);
  }
  const unknown = await request(port, '/v1/nothing', { method: 'OPTIONS', headers: preflight });
  t.equal(unknown.status, 404);
  const open = await start();
  const answer = await request(open, '/v1/templates', { method: 'OPTIONS', headers: preflight });
  t.equal(answer.status, 405, 'no origin is listed unless the operator does');
  t.equal(answer.headers.vary, undefined);
});

t.test('an answer is readable for a listed origin, errors too, and varies by it', async (t) => {
  const port = await start([listed]);
  const ask = (headers: Record<string, string>, method = 'GET', body = '') =>
    request(port, '/v1/templates', { method, headers, body });
  for (const [status, answer] of [
    [200, await ask({ Origin: listed, 'X-API-Key': 'key' })],
    [200, await ask({ Origin: listed, 'X-API-Key': 'key' }, 'HEAD')],
    [200, await ask({ Origin: listed }, 'PUT', '{}')],
    [204, await ask({ Origin: listed }, 'DELETE')],
    [401, await ask({ Origin: listed })],
    [405, await ask({ Origin: listed }, 'PATCH')],
    [413, await ask({ Origin: listed }, 'PUT', 'x'.repeat(101))],
  ] as const) {
    t.equal(answer.status, status);
    t.equal(answer.headers['access-control-allow-origin'], listed);
    t.match(answer.headers['access-control-expose-headers'], /ETag.*Retry-After.*X-Request-Id/);
    t.match(answer.headers.vary, /Origin/);
  }
  for (const headers of [{}, { Origin: 'https://evil.example' }]) {
    const answer = await ask({ ...headers, 'X-API-Key': 'key' });
    t.equal(answer.status, 200, 'a program is no browser');
    t.equal(answer.headers['access-control-allow-origin'], undefined);
    t.equal(answer.headers.vary, 'Origin');
  }
  const render = await request(port, '/v1/render/a', { headers: { Origin: listed } });
  t.equal(render.headers['access-control-allow-origin'], '*', 'renders stay open to all');
  t.equal(render.headers.vary, undefined);
});
