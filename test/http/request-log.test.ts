import t from 'tap';
import { AppError } from '../../src/errors.ts';
import { jsonReply } from '../../src/http/reply.ts';
import type { Reply } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { logRequest } from '../../src/request-log.ts';

t.test('a request that cost something leaves one line, without values and keys', async (t) => {
  const lines: [level: string, record: Record<string, unknown>][] = [];
  const log = createLog((level, line) => {
    t.notMatch(line, /\n/);
    lines.push([level, JSON.parse(line) as Record<string, unknown>]);
  });
  const answers: Record<string, () => Reply> = {
    miss: () => ({ ...jsonReply(200, {}), cacheState: 'miss' }),
    alias: () => ({ ...jsonReply(200, {}), cacheState: 'alias' }),
    busy: () => {
      throw new AppError('OVERLOADED', 'Busy.', { reason: 'queue' });
    },
    bug: () => {
      throw new Error('line 1\nline 2');
    },
  };
  const server = createServer({
    host: '127.0.0.1',
    port: 0,
    timeoutMs: 5000,
    routes: [
      {
        name: 'render',
        path: '/render/:uid',
        errorShape: 'render',
        get: ({ parameter }) => answers[parameter.split('.')[0] ?? '']?.() ?? jsonReply(404, {}),
      },
      { name: 'healthz', path: '/healthz', errorShape: 'render', get: () => jsonReply(200, {}) },
    ],
    onRequest: (record) => logRequest(log, record),
    log,
  });
  const base = `http://127.0.0.1:${await server.listen()}`;
  t.teardown(() => server.close());
  for (const path of [
    'render/miss.png',
    'render/alias',
    'healthz',
    'render/busy',
    'render/bug',
    'render/<b>',
  ]) {
    await fetch(`${base}/${path}?name=private`, { headers: { 'X-API-Key': 'secret' } });
  }
  t.match(lines, [
    [
      'info',
      {
        event: 'request',
        route: 'render',
        template: 'miss',
        status: 200,
        cache: 'miss',
        requestId: /^req_/,
        ms: Number,
        time: /Z$/,
      },
    ],
    ['warn', { template: 'busy', status: 503, cause: 'queue' }],
    ['error', { template: 'bug', status: 500, cause: 'bug', detail: /line 1\nline 2/ }],
    ['info', { status: 404 }],
  ]);
  t.equal(lines.length, 4, 'hits and health checks are counted, not written');
  t.notMatch(JSON.stringify(lines), /private|secret|<b>|%3C/);
});

t.test('a field is bounded', async (t) => {
  let text = '';
  createLog((_, line) => {
    text = line;
  }).error('x', { detail: 'y'.repeat(100_000) });
  t.ok(text.length < 5000);
});
