/** The test of restarts under load: a program of its own, so that it can run in a network of its own. */
import { join } from 'node:path';
import t from 'tap';
import { fewCallers, manyCallers, startLoad } from '../fixtures/steady-load.ts';
import { freePort } from './service.ts';
import { startShared } from './shared-port.ts';

/** The argument of this program. The figures of many more stand in docs/operations.md. */
const restarts = Number(process.argv[2] ?? 1);

t.test('no request fails while processes follow one another on a port', async (t) => {
  const port = await freePort();
  const dataDirectory = join(t.testdir(), 'data');
  let current = await startShared(t, port, dataDirectory);
  let count = 0;
  const nextPath = (): string => {
    count += 1;
    return count % 8 === 0
      ? `/v1/render/hello?name=${count}`
      : '/v1/render/welcome-banner.jpg?name=Amanda';
  };
  const load = startLoad(port, nextPath, restarts === 1 ? fewCallers : manyCallers);
  for (let round = 0; round < restarts; round += 1) {
    const next = await startShared(t, port, dataDirectory);
    const before = load.answered();
    current.kill('SIGTERM');
    const ended = await current.ended;
    t.same(ended, { code: 0, signal: null }, current.stderr.slice(-500));
    t.ok(load.answered() > before, 'callers were answered meanwhile');
    current = next;
  }
  const { answered, failures, msMax } = await load.stop();
  t.same(failures, []);
  t.comment(`${answered} requests over ${restarts} restarts, the longest ${Math.round(msMax)} ms`);
});
