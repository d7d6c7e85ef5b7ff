/** What an operator sees: the metrics of a service at work, its memory, and the log of one whose callers have secrets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { startOrigin } from '../fixtures/images-origin.ts';
import { metricComplaints, parseMetrics, sampleValue } from '../helpers/metrics.ts';
import type { ParsedMetrics } from '../helpers/metrics.ts';
import { queryComplaints, readQuery } from '../helpers/promql.ts';
import { readProcessTree } from '../soak/process-memory.ts';
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
  const elsewhere = request(service.metricsPort, '/metrics');
  await t.rejects(elsewhere, { code: 'ECONNREFUSED' }, 'they have an address of their own');
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
    'card?name=O%26%2339%3BBrien',
    'card?name=O%26%2339%3BBrien',
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
    [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 401, 404],
  );
  const etag = answers[0]?.headers.etag ?? '';
  const unchanged = await service.render('card?name=Ada', { headers: { 'If-None-Match': etag } });
  t.equal(unchanged.status, 304);

  const after = await readMetrics();
  t.same(metricComplaints(after), []);
  const rises: [by: number, name: string, labels?: Record<string, string>][] = [
    [11, 'platen_requests_total', { route: 'render', status: '200' }],
    [1, 'platen_requests_total', { route: 'render', status: '304' }],
    [1, 'platen_requests_total', { route: 'render', status: '401' }],
    [14, 'platen_request_seconds_count', { route: 'render' }],
    [3, 'platen_renders_total', { cache: 'alias' }],
    [2, 'platen_renders_total', { cache: 'hit' }],
    [7, 'platen_renders_total', { cache: 'miss' }],
    [7, 'platen_render_answer_seconds_count', { cache: 'miss' }],
    [7, 'platen_render_stage_seconds_count', { stage: 'queue' }],
    [7, 'platen_render_stage_seconds_count', { stage: 'encode' }],
    [1, 'platen_render_warnings_total', { code: 'IMAGE_FAILED' }],
    [1, 'platen_degraded_renders_total', { code: 'IMAGE_FAILED' }],
    [1, 'platen_failures_total', { route: 'render', cause: 'status' }],
    [1, 'platen_errors_total', { route: 'render', code: 'NOT_FOUND' }],
    [0, 'platen_errors_total', { route: 'render', code: 'OVERLOADED' }],
    [2, 'platen_unmerged_links_total', { template: 'card' }],
    [2, 'platen_corrected_links_total', { template: 'card' }],
    [1, 'platen_image_fetches_total', { result: 'ok' }],
    [1, 'platen_image_fetches_total', { result: 'status' }],
    [2, 'platen_image_fetch_seconds_count'],
    [3, 'platen_cache_hits_total', { cache: 'links' }],
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

/** What may differ between two looks at processes that work: a heap that grows, a buffer that goes. */
const toleranceBytes = 48 * 1024 * 1024;

const skipsMemory =
  process.platform === 'linux' ? false : 'only Linux tells the memory of a process';

t.test('the holders of memory add up to what the kernel says', { skip: skipsMemory }, async (t) => {
  const holders = async (): Promise<Map<string, number>> =>
    new Map(
      ((await readMetrics()).samples.get('platen_memory_bytes') ?? []).map(({ labels, value }) => [
        `${labels?.['process']} ${labels?.['holder']}`,
        Number(value),
      ]),
    );
  const known = ['js_heap', 'plans', 'drawables', 'parts'].map((holder) => `render ${holder}`);
  let [held, index] = [await holders(), 0];
  const areNamed = async (): Promise<boolean> => {
    await service.render(`welcome-banner?name=${(index += 1)}`);
    held = await holders();
    return ['front renders', ...known].every((holder) => (held.get(holder) ?? 0) > 0);
  };
  t.ok(await eventually(areNamed), 'each kind of memory is named');
  const sum = [...held.values()].reduce((total, bytes) => total + bytes, 0);
  const tree = readProcessTree(service.process.pid);
  const files = Math.max(...tree.map((each) => each.residentBytes - each.anonymousBytes));
  const resident = tree.reduce((total, { anonymousBytes }) => total + anonymousBytes, files);
  t.ok(Math.abs(sum - resident) < toleranceBytes, `${sum} bytes, the kernel says ${resident}`);
  const { samples } = await readMetrics();
  t.same(
    samples.get('platen_process_resident_bytes')?.map(({ labels }) => labels?.['process']),
    ['front', 'render-1'],
  );
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
    `photo?photo=data:text/plain,${value}`,
    `${encodeURIComponent(`<${value}>`)}?name=${value}`,
  ]) {
    await service.render(target, { headers });
  }
  await service.get(`/v1/templates?limit=${value}`, { headers });
  await service.get(`/nothing/${value}?${value}=${value}`, { headers });
  // Where a uid belongs.
  await service.render(demoKey);
  await service.get(`/v1/templates/${demoKey}`, { headers: { 'X-API-Key': demoKey } });
  await service.render('card?name=last', { headers });
  const written = (): string => `${service.process.stdout}\n${service.process.stderr}`;
  t.ok(await eventually(() => written().split('"template":"card"').length > 8));
  for (const secret of [...secrets, demoKey]) t.notMatch(written(), secret);
  const hit = /{.*"cache":"alias".*/.exec(written())?.[0] ?? '{}';
  t.match(JSON.parse(hit), { event: 'request', template: 'card', version: 1, oneOf: 1 });
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

const dashboard = JSON.parse(readDoc('grafana-dashboard.json')) as { panels: Panel[] };
const alarmGroups = parse(readDoc('prometheus-alerts.yml')) as { groups: { rules: Alarm[] }[] };
const alarms = alarmGroups.groups.flatMap(({ rules }) => rules);

t.test('the dashboard and the alarms ask for nothing that is not there', async (t) => {
  const metrics = await readMetrics();
  const targets = dashboard.panels.flatMap(({ targets: ofCode = [] }) => ofCode);
  // What Grafana puts in, in the form that a query may have.
  const queries = targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'));
  for (const query of [...queries, ...alarms.map(({ expr }) => expr)]) {
    t.same(queryComplaints(query, metrics), [], query);
  }
  t.ok(targets.length > 40 && alarms.length > 10);
  t.match(queryComplaints('sum by (status) (rate(y{a="b"}[5m]))', metrics), [/no metric/]);
  t.match(queryComplaints('platen_ready{status="200"}', metrics), [/no label status/]);
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
  const alarm = (name: string): string => alarms.find(({ alert }) => alert === name)?.expr ?? '';
  const panel = (title: string): string =>
    dashboard.panels.find((each) => each.title === title)?.targets?.[0]?.expr ?? '';
  const ofAlarms = ['PlatenBugs', 'PlatenStorageFails', 'PlatenOverloaded'].map(alarm);
  for (const query of [...ofAlarms, ...['Delivered images', 'Rejected'].map(panel)]) {
    const { selectors } = readQuery(query.replaceAll('$__rate_interval', '5m'));
    const asked = new Set(selectors.map(({ metric }) => metric));
    t.ok(asked.has('platen_errors_total'), query);
    t.notOk(asked.has('platen_requests_total'), 'hits would make a share of failures small');
  }
  t.end();
});
