/**
 * Measures threads of the service from inside: preloaded into its process, it reports the CPU time of the thread that
 * answers and of its longest turn since the last question on the socket that `FRONT_PROBE` names. The threads of lists,
 * tables, fonts and campaigns append theirs to the file beside it.
 */
import { appendFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import os from 'node:os';
import { basename } from 'node:path';
import { isMainThread, parentPort, threadId } from 'node:worker_threads';

const tickMs = 8;

function cpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

let startMs = cpuMs();
let tickedMs = startMs;
let tickedAt = performance.now();
let turnMs = 0;

/**
 * A timer runs once in a turn, so what the thread used since the last tick is at least its longest turn. Systems that
 * count CPU time in steps of a timer tell some ms too many, and a thread uses at most the time that went by.
 */
function tick() {
  const now = cpuMs();
  const wall = performance.now();
  turnMs = Math.max(turnMs, Math.min(now - tickedMs, wall - tickedAt));
  tickedMs = now;
  tickedAt = wall;
  return now;
}

/** Returns what the thread used since the last report. */
function report() {
  const now = tick();
  const used = { cpuMs: now - startMs, turnMs };
  [startMs, turnMs] = [now, 0];
  return used;
}

const socketPath = process.env['FRONT_PROBE'];
const program = basename(process.argv[1] ?? '', '.js');
if (isMainThread && program === 'main') {
  setInterval(tick, tickMs).unref();
  const server = createServer((socket) => {
    socket.on('data', () => socket.write(`${JSON.stringify(report())}\n`));
    socket.on('error', () => undefined);
  });
  // The service starts itself again with the rules of time zones, and the first start leaves its socket.
  rmSync(socketPath, { force: true });
  server.listen(socketPath).unref();
} else if (['lists', 'tables', 'fonts', 'campaigns'].includes(program)) {
  // With the lowest priority a thread would wait for all other work on a busy machine.
  os.setPriority = () => undefined;
  syncBuiltinESMExports();
  const write = () => {
    const line = JSON.stringify({ program, threadId, ...report() });
    appendFileSync(`${socketPath}-threads`, `${line}\n`);
  };
  setInterval(() => tick() - startMs > 1 && write(), tickMs).unref();
  // A thread whose work is done may be ended at once.
  const { postMessage } = parentPort;
  parentPort.postMessage = (...message) => {
    write();
    postMessage.apply(parentPort, message);
  };
}
