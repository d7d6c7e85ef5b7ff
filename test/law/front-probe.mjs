/**
 * Measures the thread that answers, inside the service: preloaded into its process, it reports the CPU time of the thread
 * and of its longest turn since the last question on the socket that `FRONT_PROBE` names.
 */
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const tickMs = 8;

function cpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

if (isMainThread && process.argv[1]?.endsWith('main.js') === true) {
  let startMs = cpuMs();
  let tickedMs = startMs;
  let turnMs = 0;
  // A timer runs once in a turn, so what the thread used since the last tick is at least its longest turn.
  const tick = () => {
    const now = cpuMs();
    turnMs = Math.max(turnMs, now - tickedMs);
    tickedMs = now;
    return now;
  };
  setInterval(tick, tickMs).unref();
  const server = createServer((socket) => {
    socket.on('data', () => {
      const now = tick();
      socket.write(`${JSON.stringify({ cpuMs: now - startMs, turnMs })}\n`);
      [startMs, turnMs] = [now, 0];
    });
    socket.on('error', () => undefined);
  });
  server.listen(process.env['FRONT_PROBE']).unref();
}
