/** The test of restarts under load by systemd/restart.sh: a program of its own, so that it can run in a network of its own. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Test } from 'tap';
import { fewCallers, manyCallers, startLoad } from '../fixtures/steady-load.ts';
import { request } from './request.ts';
import { freePort } from './service.ts';
import type { Program } from './service.ts';
import { startShared } from './shared-port.ts';

/** The argument of this program. The figures of many more stand in docs/operations.md. */
const restarts = Number(process.argv[2] ?? 1);

const script = fileURLToPath(new URL('../../systemd/restart.sh', import.meta.url));

/** Exit codes of `systemctl is-active` (systemctl(1)). */
const exitCodes = { ok: 0, failed: 1, inactive: 3 } as const;

/** What stands for systemd: units that are processes of the service on one port. */
interface Units {
  port: number;
  /** `start platen@b` and so on, as they were asked for; not the questions. */
  asked: string[];
  running: Map<string, Program>;
  /** Environment of units that are started from now on. */
  environment: Record<string, string>;
  start: (unit: string) => Promise<number>;
  /** Runs the script. */
  restart: () => Promise<{ code: number; stdout: string; stderr: string }>;
}

async function startUnits(t: Test): Promise<Units> {
  const folder = t.testdir();
  const dataDirectory = join(folder, 'data');
  const port = await freePort();
  const running = new Map<string, Program>();
  const units: Units = {
    port,
    asked: [],
    running,
    environment: {},
    async start(unit) {
      try {
        running.set(unit, await startShared(t, port, dataDirectory, units.environment));
        return exitCodes.ok;
      } catch {
        return exitCodes.failed;
      }
    },
    restart: () => run(folder),
  };
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const address = await serve(t, units);
  writeFileSync(
    join(bin, 'systemctl.mjs'),
    `const answer = await fetch('${address}', { method: 'POST', body: process.argv.slice(2).join(' ') });
process.exit(Number(await answer.text()));\n`,
  );
  const program = `#!/bin/sh\nexec '${process.execPath}' '${join(bin, 'systemctl.mjs')}' "$@"\n`;
  writeFileSync(join(bin, 'systemctl'), program, { mode: 0o755 });
  return units;
}

/** Answers what the program on the script's PATH asks, with its exit code. */
async function serve(t: Test, units: Units): Promise<string> {
  const server = createServer((incoming, response) => {
    void text(incoming)
      .then((command) => obey(command.replace(' --quiet', ''), units))
      .then((exitCode) => response.end(String(exitCode)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function obey(command: string, units: Units): Promise<number> {
  const [verb, unit = ''] = command.split(' ');
  const program = units.running.get(unit);
  if (verb === 'is-active') return program === undefined ? exitCodes.inactive : exitCodes.ok;
  units.asked.push(command);
  if (verb === 'start') return units.start(unit);
  if (verb === 'stop' && program !== undefined) {
    program.kill('SIGTERM');
    await program.ended;
    units.running.delete(unit);
  }
  return exitCodes.ok;
}

function run(folder: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const PATH = `${join(folder, 'bin')}:/usr/sbin:/usr/bin:/sbin:/bin`;
  return new Promise((resolve) => {
    const child = execFile('sh', [script], { env: { PATH } }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

t.test('instances take turns without a failed request, and stay if the next fails', async (t) => {
  const units = await startUnits(t);
  await units.start('platen@a');
  const first = units.running.get('platen@a');
  let count = 0;
  const nextPath = (): string => `/v1/render/hello?name=${(count += 1) % 50}`;
  const load = startLoad(units.port, nextPath, restarts <= 3 ? fewCallers : manyCallers);

  units.environment = { PLATEN_THREADS: 'none' };
  const failed = await units.restart();
  t.match(failed, { code: 1, stderr: /platen@b did not start, platen@a was not touched/ });
  t.same(units.asked.splice(0), ['start platen@b', 'stop platen@b'], 'the boot stays as it was');
  t.same([...units.running.keys()], ['platen@a']);

  if (first !== undefined) units.running.set('platen@b', first);
  t.match(await units.restart(), { code: 1, stderr: /are both running/ });
  t.same(units.asked, []);
  units.running.delete('platen@b');

  units.environment = {};
  const before = load.answered();
  const ran = await units.restart();
  t.match(ran, { code: 0, stdout: 'platen@b has taken over.\n', stderr: '' });
  t.same(units.asked, ['start platen@b', 'enable platen@b', 'disable platen@a', 'stop platen@a']);
  t.same(await first?.ended, { code: 0, signal: null });
  t.same([...units.running.keys()], ['platen@b']);
  t.ok(load.answered() > before, 'callers were answered meanwhile');
  t.equal((await request(units.port, '/readyz')).status, 200);
  for (let round = 1; round < restarts; round += 1) t.equal((await units.restart()).code, 0);
  const { answered, failures, msMax } = await load.stop();
  t.same(failures, []);
  t.comment(`${answered} requests over ${restarts} restarts, the longest ${Math.round(msMax)} ms`);
});
