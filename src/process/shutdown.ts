/** Ends the process: in order, with every request answered, or at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../http/server.ts';

/** Time limits of the steps of a shutdown, in ms. */
export interface StopTimes {
  /** Time for which new connections are accepted, until load balancers notice the shutdown. */
  delayMs: number;
  /** Upper bound of the wait for requests in flight. */
  requestMsMax: number;
  /** Whether a successor listens on the port. Then clients do not depend on this process, and no connection is cut. */
  isPortShared: boolean;
}

/**
 * Milliseconds until an idle connection is closed. uWebSockets.js closes it 10 s after the last answer and checks every
 * 4 s (12 s were measured). Closing it earlier could lose a request that the client has just sent.
 */
const idleConnectionMsMax = 15_000;

/**
 * Resolves when every request is answered or late, and all connections are closed. Never rejects. `servers` are the
 * service's server and then the metrics server. With a successor the metrics server stops at once: scrapes that
 * alternate between both processes would see counters fall.
 */
export async function stopServers(servers: readonly Server[], times: StopTimes): Promise<void> {
  const isShared = times.isPortShared;
  const early = Promise.all(
    servers.slice(isShared ? 1 : servers.length).map((each) => leave(each, times)),
  );
  const late = isShared ? servers.slice(0, 1) : servers;
  if (times.delayMs > 0) await sleep(times.delayMs);
  await Promise.all(late.map((server) => server.drain()));
  if (isShared) await Promise.all(late.map((server) => server.left(idleConnectionMsMax)));
  await Promise.all(late.map((server) => server.idle(times.requestMsMax)));
  for (const server of late) server.close();
  await early;
}

/** Stops a server whose clients retry by themselves. */
async function leave(server: Server, { requestMsMax }: StopTimes): Promise<void> {
  await server.drain();
  await server.idle(requestMsMax);
  server.close();
}

// The immediate end of the process, also while its threads run native code.

/**
 * Ends this process with an exit code, in some 50 ms, whatever its threads do. Call it on the main thread. Lines that
 * the log still buffers, up to 50 ms old, are lost; logging an error before writes them.
 *
 * `process.exit` waits for each thread, and a thread that hangs in a decoder never returns. `exec` of another program
 * ends all threads, keeps the process id and returns the code. SIGKILL does not reach the first process of a container,
 * which a service often is.
 */
export function endProcess(exitCode: number): never {
  const { execPath } = process;
  try {
    process.execve?.(execPath, [execPath, '-e', `process.exit(${exitCode})`], {});
  } catch {
    // The system forbids other programs, or has no such call.
  }
  process.kill(process.pid, 'SIGKILL');
  // Only the first process of a container gets here, because signals do not end it; a fault of the process does.
  process.abort();
}
