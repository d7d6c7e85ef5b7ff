/** Render hosts of the real service that are lost: who is still answered, what is refused, and what is left behind. */
import { spawn } from 'node:child_process';
import { linkSync, realpathSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { runPlaten } from '../cli/run-platen.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { request } from '../e2e/request.ts';
import type { Answer } from '../e2e/request.ts';
import { eventually, startService } from '../e2e/service.ts';
import type { Service, ServiceOptions } from '../e2e/service.ts';
import { cpuMsOf } from '../../src/foundation/process-usage.ts';
import { childrenOf, isRunning } from '../helpers/child-processes.ts';

t.setTimeout(240_000);

const skip = process.platform !== 'linux';
const waitMs = 60_000;

/** Starts the service on two small templates; it resolves when the service has no work left of its own. */
async function start(
  test: Parameters<typeof startService>[0],
  options: ServiceOptions,
): Promise<Service> {
  const environment = { PLATEN_RENDER_TIMEOUT_MS: '60000' };
  const service = await startService(test, { ...options, environment });
  await until('the warm-up', () => service.process.stdout.includes('"event":"warmed up"'));
  return service;
}

function fill(folder: string): string {
  return fillDataDirectory(join(folder, 'data'), ({ publish }) => {
    const variables = [textVariable('name', 'friend')];
    const layers = [textLayer('{{name}}')];
    // Names of their own: equal documents are one to the quarantine.
    publish('fatal', { name: 'Fatal', variables, layers });
    publish('hello', { name: 'Hello', variables, layers });
  });
}

/** As `eventually`, but throws: what follows would hang or signal a wrong process. */
async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  if (!(await eventually(isTrue, waitMs))) throw new Error(`Waited without result for ${what}.`);
}

/** Requests a path on a connection of its own; rejects when there is no answer in `waitMs`. */
function ask({ port }: Service, path: string): Promise<Answer> {
  return request(port, path, { agent: false, signal: AbortSignal.timeout(waitMs) });
}

/** The render hosts, by the argument that they alone are started with. */
const renderersOf = ({ process }: Service): number[] =>
  childrenOf(process.pid, 'baseRendersBytesMax');

let renders = 0;

/** The one render host, which is idle: it has just rendered. */
async function idleRenderer(service: Service): Promise<number> {
  renders += 1;
  const { status } = await ask(service, `/v1/render/hello?name=idle${renders}`);
  const [pid, ...others] = renderersOf(service);
  if (status !== 200 || pid === undefined || others.length > 0) {
    throw new Error(`There is no idle process: ${status}, ${service.process.stderr}`);
  }
  return pid;
}

/** Stops the one render host and hands it a render, which it is at when this resolves. */
async function holdRender(
  service: Service,
  path: string,
): Promise<{ pid: number; answer: Promise<Answer> }> {
  const pid = await idleRenderer(service);
  process.kill(pid, 'SIGSTOP');
  const answer = ask(service, path);
  // The caller that awaits it sees the error; until then it is no unhandled rejection.
  answer.catch(() => undefined);
  await until('a busy process', async () => {
    return (await service.metric('platen_render_threads_busy')) === 1;
  });
  return { pid, answer };
}

/** Ends the one render host by a fault while it is at a render. */
async function loseRender(service: Service, path: string): Promise<Answer> {
  const { pid, answer } = await holdRender(service, path);
  // A stopped process takes the fault when it continues.
  for (const signal of ['SIGSEGV', 'SIGCONT']) process.kill(pid, signal);
  return answer;
}

t.test('a quarantine outlasts a restart until it is released', { skip }, async (t) => {
  const dataDirectory = fill(t.testdir());
  const first = await start(t, { dataDirectory });
  for (const name of ['1', '2']) {
    t.equal((await loseRender(first, `/v1/render/fatal?name=${name}`)).status, 500);
  }
  t.equal((await ask(first, '/v1/render/fatal?name=3')).status, 503);
  t.equal(await first.metric('platen_templates_quarantined'), 1);
  first.process.kill('SIGTERM');
  await until('the end', () => first.process.hasEnded);

  const second = await start(t, { dataDirectory });
  const headers = { 'X-API-Key': testOrganization.key };
  const details = await second.get('/v1/templates/fatal', { headers });
  t.match(details.json(), { quarantine: { version: 1, reason: 'crash' } });
  const refused = await ask(second, '/v1/render/fatal?name=4');
  t.match(refused.json(), { error: { code: 'QUARANTINED' } });
  t.equal(await second.metric('platen_render_thread_failures_total'), 0, 'no process is lost');

  const environment = { PLATEN_API_KEY: testOrganization.key };
  const words = ['templates', 'release', 'fatal', '--url', second.base];
  const command = await runPlaten(words, { environment });
  t.equal(command.code, 0, command.stderr);
  t.equal((await ask(second, '/v1/render/fatal?name=5')).status, 200, 'released by the command');
  t.equal(await second.metric('platen_templates_quarantined'), 0);
});

t.test('an orderly end waits for a busy render host and ends it', { skip }, async (t) => {
  const service = await start(t, { dataDirectory: fill(t.testdir()) });
  const { pid, answer } = await holdRender(service, '/v1/render/hello?name=late');
  t.teardown(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
  service.process.kill('SIGTERM');
  await until('the signal', () => service.process.stdout.includes('"event":"stopping"'));
  await until('a closed port', async () => {
    return (await ask(service, '/healthz').catch(() => undefined)) === undefined;
  });
  t.notOk(service.process.hasEnded, 'while a render is in flight');
  process.kill(pid, 'SIGCONT');
  t.equal((await answer).status, 200);
  await until('the end', () => service.process.hasEnded);
  t.same(await service.process.ended, { code: 0, signal: null });
  t.notOk(isRunning(pid));
});

t.test('no render host outlives a killed service, also in native code', { skip }, async (t) => {
  const program = join(import.meta.dirname, '../fixtures/hanging-pool.ts');
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  let pids: number[] = [];
  t.teardown(() => {
    child.kill('SIGKILL');
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
  });
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written += text));
  await until('the numbers of the processes', () => written.endsWith('\n'));
  pids = JSON.parse(written) as number[];
  t.equal(pids.length, 2);
  const startedMs = pids.map((pid) => cpuMsOf(pid) ?? Infinity);
  await until('a process that computes', () => {
    return pids.some((pid, index) => (cpuMsOf(pid) ?? 0) > (startedMs[index] ?? 0) + 300);
  });
  child.kill('SIGKILL');
  t.ok(await eventually(() => !pids.some(isRunning), waitMs));
});

t.test('a pause longer than the deadline fails no render in flight', { skip }, async (t) => {
  const timeoutMs = 4000;
  const environment = { PLATEN_RENDER_TIMEOUT_MS: String(timeoutMs) };
  const service = await startService(t, { dataDirectory: fill(t.testdir()), environment });
  const { pid } = service.process;
  const all = [pid, ...childrenOf(pid)];
  const answers = ['1', '2', '3', '4'].map((name) =>
    ask(service, `/v1/render/hello?_scale=3&name=${name}`),
  );
  await ask(service, '/healthz');
  for (const each of all) process.kill(each, 'SIGSTOP');
  await pause(1.5 * timeoutMs);
  for (const each of all.toReversed()) process.kill(each, 'SIGCONT');
  t.same(new Set((await Promise.all(answers)).map(({ status }) => status)), new Set([200]));
  t.notMatch(service.process.stderr, /render lost|render host ended/);
});

t.test('while no render host can be started renders are refused', { skip }, async (t) => {
  const folder = t.testdir();
  // A path of its own to Node, so that it can be taken away from the service's processes.
  const node = join(folder, 'node');
  linkSync(realpathSync(process.execPath), node);
  const service = await start(t, { dataDirectory: fill(folder), node });
  const pid = await idleRenderer(service);
  t.equal((await ask(service, '/v1/render/hello?name=kept')).status, 200);
  renameSync(node, `${node}.away`);
  process.kill(pid, 'SIGKILL');
  await until('unreadiness', async () => (await ask(service, '/readyz')).status === 503);
  const refused = await ask(service, '/v1/render/hello?name=new');
  t.equal(refused.status, 503);
  t.match(refused.json(), { error: { code: 'OVERLOADED' } });
  t.match(refused.headers['retry-after'], /^[1-9]\d*$/);
  t.equal((await ask(service, '/v1/render/hello?name=kept')).status, 200, 'a cached image');
  t.equal((await ask(service, '/healthz')).status, 200);
  t.equal((await ask(service, '/readyz')).status, 503, 'it stays so');

  renameSync(`${node}.away`, node);
  await until('readiness', async () => (await ask(service, '/readyz')).status === 200);
  t.equal((await ask(service, '/v1/render/hello?name=new')).status, 200, 'it goes on by itself');
});
