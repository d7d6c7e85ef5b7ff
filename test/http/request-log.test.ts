import t from 'tap';
import type { Test } from 'tap';
import { AppError } from '../../src/foundation/errors.ts';
import { errorTrace, jsonReply } from '../../src/http/reply.ts';
import type { Reply } from '../../src/http/reply.ts';
import type { Handler, Route } from '../../src/http/server.ts';
import { startServer } from '../fixtures/api-server.ts';
import { createLog } from '../../src/foundation/log.ts';
import type { LogLevel } from '../../src/foundation/log.ts';
import { createRequestLog, RefusalSample } from '../../src/telemetry/request-log.ts';
import type { RequestLogOptions } from '../../src/telemetry/request-log.ts';

type Line = [level: string, record: Record<string, unknown>];

const answers: Record<string, () => Reply> = {
  wrong: () => ({ ...jsonReply(400, {}), code: 'BAD_REQUEST' }),
  miss: () => ({
    ...jsonReply(200, {}),
    cacheState: 'miss',
    notes: { version: 7, drawn: 'plan', paintMs: 1.5 },
  }),
  alias: () => ({ ...jsonReply(200, {}), cacheState: 'alias', notes: { version: 7 } }),
  busy: () => {
    throw new AppError('OVERLOADED', 'Busy.', { reason: 'queue' });
  },
  bug: () => {
    throw new Error('line 1\nline 2');
  },
  covered: () => ({ ...jsonReply(200, {}), cacheState: 'fallback', ...errorTrace(new Error('x')) }),
};

/** Serves the answers and asks for `paths`; the lines that it leaves. */
async function linesOf(
  t: Test,
  paths: readonly string[],
  options: Partial<RequestLogOptions> & {
    level?: LogLevel;
    isUidTaken?: (uid: string) => boolean;
    /** Adds to what each request took. */
    addedMs?: number;
  } = {},
): Promise<Line[]> {
  const lines: Line[] = [];
  const log = createLog((level, line) => {
    t.notMatch(line, /\n/);
    lines.push([level, JSON.parse(line) as Record<string, unknown>]);
  }, options.level);
  const write = createRequestLog(
    log,
    { hitsEvery: 0, ...options },
    { isUidTaken: options.isUidTaken ?? ((uid) => uid in answers) },
  );
  const get: Handler = ({ parameter }) =>
    answers[parameter.split('.')[0] ?? '']?.() ?? jsonReply(404, {});
  const routes: Route[] = [
    { name: 'render', path: '/v1/render/:uid', errorShape: 'render', get },
    { name: 'healthz', path: '/healthz', errorShape: 'render', get: () => jsonReply(200, {}) },
  ];
  const { base } = await startServer(t, routes, {
    onRequest: (record) => write({ ...record, ms: record.ms + (options.addedMs ?? 0) }),
    log,
  });
  for (const path of paths) {
    const headers = { 'X-API-Key': 'secret-key' };
    await fetch(`${base}/${path}?name=private-name&_signature=private-mac`, { headers });
  }
  return lines;
}

t.test('a request that cost something leaves one line, without values and keys', async (t) => {
  const lines = await linesOf(t, [
    'v1/render/miss.png',
    'v1/render/alias',
    'healthz',
    'v1/render/busy',
    'v1/render/bug',
    'v1/render/covered',
    'v1/render/<b>',
    'elsewhere/private-name',
  ]);
  t.match(lines, [
    [
      'info',
      {
        event: 'request',
        route: 'render',
        template: 'miss',
        version: 7,
        status: 200,
        cache: 'miss',
        drawn: 'plan',
        paintMs: 1.5,
        requestId: /^req_/,
        ms: Number,
        time: /Z$/,
      },
    ],
    ['warn', { template: 'busy', status: 503, cause: 'queue' }],
    ['error', { template: 'bug', status: 500, cause: 'bug', detail: /line 1\nline 2/ }],
    ['error', { template: 'covered', status: 200, cause: 'bug', cache: 'fallback' }],
    ['info', { status: 404 }],
    ['info', { route: 'unknown', status: 404 }],
  ]);
  t.equal(lines.length, 6, 'hits and health checks are counted, not written');
  t.notMatch(JSON.stringify(lines), /private|secret|<b>|%3C/);
});

t.test('of a path no more is written than the uid of a template', async (t) => {
  const key = 'pk_live_0123456789abcdefghijABCDEFGHIJ01';
  const paths = [key, `${key}.png`, `x-${key}`, 'my-demo-key-0123', 'my-demo-key-0123.jpg', 'miss'];
  const lines = await linesOf(
    t,
    paths.map((path) => `v1/render/${path}`),
  );
  t.same(
    lines.map(([, { template }]) => template),
    [...Array<string>(5).fill('(unknown)'), 'miss'],
  );
  t.notMatch(JSON.stringify(lines), /0123/);
});

t.test('a database that cannot be read costs no line', async (t) => {
  const isUidTaken = (): boolean => {
    throw new Error('The disk fails.');
  };
  const lines = await linesOf(t, ['v1/render/busy'], { isUidTaken });
  t.match(lines, [['warn', { template: '(unknown)', status: 503 }]]);
});

t.test('a flood of refusals reads their template once from the database', async (t) => {
  let asked = 0;
  const isUidTaken = (): boolean => {
    asked += 1;
    return true;
  };
  const paths = ['v1/render/busy', 'v1/render/busy', 'v1/render/busy'];
  const lines = await linesOf(t, paths, { isUidTaken });
  for (const [, line] of lines) t.equal(line['template'], 'busy');
  t.equal(lines.length, 3);
  t.equal(asked, 1);
});

t.test('of a flood of refusals a sample is written, that says of how many', async (t) => {
  const sample = new RefusalSample();
  const writtenOf = (count: number, nowMs: number): (number | undefined)[] =>
    Array.from({ length: count }, () => (sample.isWritten(nowMs) ? [sample.every] : [])).flat();
  t.same(
    writtenOf(100, 5000),
    Array.from({ length: 100 }).fill(undefined),
    'the first of a second',
  );
  t.same(writtenOf(900, 5999), Array.from({ length: 9 }).fill(100));
  t.same(writtenOf(1, 6000), [undefined], 'the next second has its own');
});

t.test('the log has a sample of a flood, each code by itself, and all refusals', async (t) => {
  const flood = Array.from({ length: 400 }, (_, index) => `elsewhere/${index}`);
  const lines = await linesOf(t, [...flood, 'v1/render/wrong', 'v1/render/busy']);
  const linesWith = (status: number): Line[] =>
    lines.filter(([, line]) => line['status'] === status);
  const flooded = linesWith(404);
  const seconds = new Set(flooded.map(([, { time }]) => String(time).slice(0, 19))).size + 1;
  t.ok(flooded.length < 400 || seconds > 4, `${flooded.length} lines in ${seconds} s`);
  t.same([linesWith(400).length, linesWith(503).length], [1, 1]);
});

t.test('of so many hits as the setting says one is written, and it says of how many', async (t) => {
  const hits = Array.from({ length: 7 }, () => 'v1/render/alias');
  const lines = await linesOf(t, hits, { hitsEvery: 3 });
  const line = { event: 'request', template: 'alias', version: 7, cache: 'alias', oneOf: 3 };
  t.match(lines, [
    ['info', line],
    ['info', line],
  ]);
  t.equal(lines.length, 2);
});

t.test('a slow request is a warning, a hit and a health check too', async (t) => {
  const paths = ['v1/render/alias', 'healthz', 'v1/render/miss'];
  const lines = await linesOf(t, paths, { addedMs: 2000 });
  t.match(
    lines,
    paths.map(() => ['warn', { slow: true }]),
  );
  t.equal(lines.length, 3);
});

t.test('a level leaves the lines below it out', async (t) => {
  const paths = ['v1/render/miss', 'v1/render/busy', 'v1/render/bug'];
  const levels = async (level: LogLevel): Promise<string[]> =>
    (await linesOf(t, paths, { level })).map(([each]) => each);
  t.same(await levels('info'), ['info', 'warn', 'error']);
  t.same(await levels('warn'), ['warn', 'error']);
  t.same(await levels('error'), ['error']);
});

t.test('a field is bounded', async (t) => {
  let text = '';
  createLog((_, line) => {
    text = line;
  }).error('x', { detail: 'y'.repeat(100_000) });
  t.ok(text.length < 5000);
});
