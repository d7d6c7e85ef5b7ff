/** What an operator sees: the metrics of a service at work, and the log of one whose callers have secrets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { startOrigin } from '../fixtures/images-origin.ts';
import { metricComplaints, parseMetrics, sampleValue } from '../helpers/metrics.ts';
import type { ParsedMetrics } from '../helpers/metrics.ts';
import { queryComplaints, readQuery } from '../helpers/promql.ts';
import { plainImage } from './image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from './published.ts';
import { request } from './request.ts';
import { demoKey, eventually, startService } from './service.ts';

const red = await plainImage('#ff0000');
const origin = await startOrigin({
  '/red.png': (_, response) => void response.writeHead(200).end(red),
  '/gone.png': (_, response) => void response.writeHead(404).end(),
});
t.teardown(() => origin.close());
const url = (name: string): string => `http://127.0.0.1:${origin.port}/${name}`;

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('card', {
    width: 600,
    height: 400,
    variables: [textVariable('name', 'friend')],
    layers: [textLayer('{{name}}', { width: 600, height: 40 })],
  });
  publish('photo', {
    onImageError: 'default',
    variables: [{ name: 'photo', type: 'image', value: url('red.png') }],
    layers: [imageLayer('{{photo}}')],
  });
  publish('keyed', { linkAuth: 'key' });
});
const service = await startService(t, {
  dataDirectory,
  origins: [origin],
  environment: {
    PLATEN_LOG_HITS_EVERY: '1',
    // All of 127.0.0.0/8 is this machine, and each address of it another one.
    PLATEN_METRICS_HOST: '127.0.0.2',
  },
});

async function readMetrics(): Promise<ParsedMetrics> {
  const page = await fetch(`http://127.0.0.2:${service.metricsPort}/metrics`);
  return parseMetrics(await page.text());
}

t.test('every figure that an operator asks for is there, and moves', async (t) => {
  const before = await readMetrics();
  t.same(metricComplaints(before), []);
  const failures = before.samples.get('platen_requests_total');
  t.match(failures?.slice(0, 1), [{ labels: { route: 'render', status: '500' }, value: '0' }]);
  // Prometheus does not see the rise of what is not there from the start.
  for (const code of ['OVERLOADED', 'TIMEOUT', 'STORAGE_UNAVAILABLE', 'INTERNAL']) {
    const counted = before.samples.get('platen_errors_total') ?? [];
    const ofCode = counted.filter(({ labels }) => labels?.['code'] === code);
    t.ok(
      ofCode.length > 10 && ofCode.every(({ value }) => value === '0'),
      `${code} of every route`,
    );
  }
  const targets = [
    'card?name=Ada',
    'card?name=Ada',
    'card?utm=x&name=Ada',
    'card?name=Bob',
    'card?name=Cyd',
    'card?name={{first_name}}',
    'card?name=*|FNAME|*&utm=y',
    'photo',
    `photo?photo=${url('gone.png')}`,
    'keyed',
    'nothing-here',
  ];
  const answers = [];
  for (const target of targets) answers.push(await service.render(target));
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200, 200, 200, 200, 401, 404],
  );
  const etag = answers[0]?.headers.etag ?? '';
  const unchanged = await service.render('card?name=Ada', { headers: { 'If-None-Match': etag } });
  t.equal(unchanged.status, 304);

  const after = await readMetrics();
  t.same(metricComplaints(after), []);
  const rises: [by: number, name: string, labels?: Record<string, string>][] = [
    [9, 'platen_requests_total', { route: 'render', status: '200' }],
    [1, 'platen_requests_total', { route: 'render', status: '304' }],
    [1, 'platen_requests_total', { route: 'render', status: '401' }],
    [12, 'platen_request_seconds_count', { route: 'render' }],
    [2, 'platen_renders_total', { cache: 'alias' }],
    [2, 'platen_renders_total', { cache: 'hit' }],
    [6, 'platen_renders_total', { cache: 'miss' }],
    [6, 'platen_render_answer_seconds_count', { cache: 'miss' }],
    [6, 'platen_render_stage_seconds_count', { stage: 'queue' }],
    [6, 'platen_render_stage_seconds_count', { stage: 'encode' }],
    [1, 'platen_render_warnings_total', { code: 'IMAGE_FAILED' }],
    [1, 'platen_degraded_renders_total', { code: 'IMAGE_FAILED' }],
    [1, 'platen_failures_total', { route: 'render', cause: 'status' }],
    [1, 'platen_errors_total', { route: 'render', code: 'NOT_FOUND' }],
    [0, 'platen_errors_total', { route: 'render', code: 'OVERLOADED' }],
    [2, 'platen_unmerged_links_total', { template: 'card' }],
    [1, 'platen_image_fetches_total', { result: 'ok' }],
    [1, 'platen_image_fetches_total', { result: 'status' }],
    [2, 'platen_image_fetch_seconds_count'],
    [2, 'platen_cache_hits_total', { cache: 'links' }],
    [2, 'platen_cache_misses_total', { cache: 'sources' }],
    [0, 'platen_cache_evictions_total', { cache: 'renders' }],
    [0, 'platen_render_thread_failures_total'],
    [0, 'platen_log_lines_dropped_total'],
  ];
  for (const [by, name, labels] of rises) {
    const rise = sampleValue(after, name, labels) - sampleValue(before, name, labels);
    t.equal(rise, by, `${name} ${JSON.stringify(labels ?? {})}`);
  }
  // Beside the one of the first link twice, the base renders that are made before anybody asks.
  t.ok(sampleValue(after, 'platen_plan_builds_total', { result: 'kept' }) >= 1);
  t.ok(sampleValue(after, 'platen_pictures_drawn_total', { drawn: 'plan' }) >= 1);
  t.ok(sampleValue(after, 'platen_plan_damage_ratio_count') >= 1);
  t.equal(sampleValue(after, 'platen_ready'), 1);
  t.ok(sampleValue(after, 'platen_open_connections') >= 1);
  t.ok(sampleValue(after, 'platen_cache_bytes', { cache: 'renders' }) > 1000);
  t.ok(sampleValue(after, 'platen_event_loop_lag_seconds_count') > 0);
  t.ok(sampleValue(after, 'process_resident_memory_bytes') > 50e6);
  t.ok(sampleValue(after, 'process_cpu_seconds_total') > 0.1);
  t.ok(sampleValue(after, 'process_open_fds') > 10);
});

t.test('metrics are served on their own address', async (t) => {
  await t.rejects(request(service.metricsPort, '/metrics'), { code: 'ECONNREFUSED' });
});

t.test('every render answer tells its stages in Server-Timing', async (t) => {
  const timing = async (target: string, headers = {}): Promise<string> =>
    String((await service.render(target, { headers })).headers['server-timing']);
  const miss =
    /^cache;desc=miss(, (images|queue|layout|plan|decode|paint|encode);dur=[\d.]+){6,7}, total;dur=[\d.]+$/;
  t.match(await timing('card?name=Dee'), miss);
  t.equal(await timing('card?name=Dee'), 'cache;desc=hit');
  t.equal(await timing('card?name=Dee', { 'If-None-Match': '*' }), 'cache;desc=hit');
  const { headers } = await service.render('card?name=Dee');
  const etag = { 'If-None-Match': headers.etag ?? '' };
  t.equal(await timing('card?x=1&name=Dee', etag), 'cache;desc=revalidated');
  t.match(await timing('keyed'), /^cache;desc=error, total;dur=[\d.]+$/);
});

t.test('secrets in links and headers are in no line of the log', async (t) => {
  const secrets = ['value-of-a-secret', 'key-of-a-secret', 'mac-of-a-secret', 'host-of-a-secret'];
  const [value = '', key = '', mac, host] = secrets;
  const headers = { 'X-API-Key': key };
  for (const target of [
    `card?name=${value}`,
    `card?name=${value}`,
    `card?name=${value}&_scale=${value}`,
    `card?name=${value.repeat(500)}`,
    `keyed?name=${value}&_signature=${mac}`,
    `photo?photo=http://${host}.example:81/${value}`,
    `photo?photo=http://127.0.0.1:9/${value}`,
    `photo?photo=data:text/plain,${value}`,
    `photo?photo=asset:${value}`,
    `photo?photo=${value}`,
    `${encodeURIComponent(`<${value}>`)}?name=${value}`,
  ]) {
    await service.render(target, { headers });
  }
  await service.get(`/v1/templates?limit=${value}`, { headers });
  await service.get(`/v1/validate-organization?key=${key}`, { headers });
  await service.get(`/nothing/${value}?${value}=${value}`, { headers });
  // Where a uid belongs.
  await service.render(demoKey);
  await service.get(`/v1/templates/${demoKey}`, { headers: { 'X-API-Key': demoKey } });
  await service.render('card?name=last', { headers });
  // What the start prints is no log: it shows a new key once.
  const written = (): string =>
    `${service.process.stdout}\n${service.process.stderr}`
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .join('\n');
  t.ok(await eventually(() => written().split('"template":"card"').length > 12));
  for (const secret of [...secrets, demoKey]) t.notMatch(written(), secret);
});

t.test('a line of the log tells what an image cost and where it came from', async (t) => {
  const { headers } = await service.render('card?name=Eve');
  await service.render('card?name=Eve');
  const id = String(headers['x-request-id']);
  const lineOf = (text: string): unknown =>
    `${service.process.stdout}\n${service.process.stderr}`
      .split('\n')
      .filter((line) => line.includes(text))
      .map((line) => JSON.parse(line) as unknown)
      .at(-1);
  t.ok(await eventually(() => lineOf(id) !== undefined));
  t.match(lineOf(id), {
    event: 'request',
    requestId: id,
    route: 'render',
    template: 'card',
    version: 1,
    status: 200,
    cache: 'miss',
    layoutMs: Number,
    encodeMs: Number,
    queueMs: Number,
  });
  // Hits of earlier tests are in the log, too.
  t.ok(await eventually(() => lineOf('"cache":"alias"') !== undefined));
  t.match(lineOf('"cache":"alias"'), { oneOf: 1, template: 'card', version: 1 });
});

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}

interface Alarm {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

const readDoc = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

t.test('the dashboard and the alarms ask for nothing that is not there', async (t) => {
  const metrics = await readMetrics();
  const dashboard = JSON.parse(readDoc('grafana-dashboard.json')) as { panels: Panel[] };
  const targets = dashboard.panels.flatMap(({ targets: ofCode = [] }) => ofCode);
  const rules = parse(readDoc('prometheus-alerts.yml')) as { groups: { rules: Alarm[] }[] };
  const alarms = rules.groups.flatMap(({ rules: ofCode }) => ofCode);
  // What Grafana puts in, in the form that a query may have.
  const queries = targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'));
  for (const query of [...queries, ...alarms.map(({ expr }) => expr)]) {
    t.same(queryComplaints(query, metrics), [], query);
  }
  t.ok(targets.length > 40 && alarms.length > 10);
  const questions = dashboard.panels.filter(({ type }) => type === 'row');
  t.same(
    questions.filter(({ title }) => !title.endsWith('?')),
    [],
    'a row is a question',
  );
  for (const { alert, labels, annotations } of alarms) {
    t.match(labels.severity, /^(page|ticket)$/, alert);
    t.match(annotations, { summary: /./, description: /\.$/ }, alert);
  }
  const asked = new Set(
    queries.flatMap((query) => readQuery(query).selectors.map(({ metric }) => metric)),
  );
  const unasked = metrics.families.filter(
    ({ name }) => ![name, `${name}_bucket`, `${name}_sum`].some((each) => asked.has(each)),
  );
  t.same(
    unasked.map(({ name }) => name),
    `platen_unread_answer_bytes platen_unread_answers_closed_total platen_cache_entries
     nodejs_heap_size_total_bytes platen_build_info`.split(/\s+/),
    'what no panel shows is a choice',
  );
});

t.test('alarms and panels of failures count errors, not statuses that an image hides', (t) => {
  const rules = parse(readDoc('prometheus-alerts.yml')) as { groups: { rules: Alarm[] }[] };
  const alarms = new Map(
    rules.groups.flatMap(({ rules: ofCode }) => ofCode.map(({ alert, expr }) => [alert, expr])),
  );
  const dashboard = JSON.parse(readDoc('grafana-dashboard.json')) as { panels: Panel[] };
  const panel = (title: string): string =>
    dashboard.panels.find((each) => each.title === title)?.targets?.[0]?.expr ?? '';
  const queries = [
    ...['PlatenBugs', 'PlatenStorageFails', 'PlatenOverloaded'].map((name) => alarms.get(name)),
    ...['Delivered images', 'Rejected'].map(panel),
  ];
  for (const query of queries.map((each) => each ?? '')) {
    const { selectors } = readQuery(query.replaceAll('$__rate_interval', '5m'));
    const asked = new Set(selectors.map(({ metric }) => metric));
    t.ok(asked.has('platen_errors_total'), query);
    t.notOk(asked.has('platen_requests_total'), 'hits would make a share of failures small');
  }
  t.end();
});

t.test('a query that asks for what is not there is found out', async (t) => {
  const metrics = parseMetrics('# HELP x y\n# TYPE x counter\nx{route="a"} 1\n');
  t.same(queryComplaints('sum by (route) (rate(x{route="a", job="p"}[5m]))', metrics), []);
  t.match(queryComplaints('rate(y[5m])', metrics), [/no metric/]);
  t.match(queryComplaints('x{status="200"}', metrics), [/no label status/]);
  t.match(queryComplaints('sum by (status) (x)', metrics), [/the label status/]);
  t.throws(() => queryComplaints('sum by (x', metrics), /No PromQL/);
});
