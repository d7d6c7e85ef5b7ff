/** A service that stands still with its processes, as on a paused machine, and goes on: nothing is lost for it. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { childrenOf } from '../helpers/child-processes.ts';

const timeoutMs = 4000;
const stoppedMs = 1.5 * timeoutMs;

t.test(
  'a pause longer than the deadline fails no render that is in flight',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
      publish('paused', {
        width: 800,
        height: 800,
        variables: [textVariable('name', 'friend')],
        layers: [textLayer('{{name}}')],
      });
    });
    const service = await startService(t, {
      dataDirectory,
      environment: { PLATEN_RENDER_TIMEOUT_MS: String(timeoutMs) },
    });
    const { pid } = service.process;
    const all = [pid, ...childrenOf(pid)];
    const renders = Array.from({ length: 4 }, (_, index) => service.render(`paused?name=${index}`));
    await service.get('/healthz');
    for (const each of all) process.kill(each, 'SIGSTOP');
    await pause(stoppedMs);
    for (const each of all.toReversed()) process.kill(each, 'SIGCONT');
    const statuses = (await Promise.all(renders)).map(({ status }) => status);
    t.same(new Set(statuses), new Set([200]));
    t.notMatch(service.process.stderr, /render lost|render process ended/);
  },
);
