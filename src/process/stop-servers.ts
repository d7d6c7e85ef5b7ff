/** The orderly stop of the servers: no new connections, and an answer to every request. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../http/server.ts';

/** Time limits of the steps. */
export interface StopTimes {
  /** How long new connections are accepted, because load balancers have not noticed yet. */
  delayMs: number;
  /** For requests in flight. */
  requestMsMax: number;
  /** Whether a successor listens on the port: then nobody waits for this process, and no connection is cut. */
  isPortShared: boolean;
}

/**
 * Milliseconds until an idle connection is closed. uWebSockets.js closes it 10 s after the last answer and checks
 * every 4 s (12 s were measured). An earlier cut would lose requests on their way.
 */
const idleConnectionMsMax = 15_000;

/**
 * Resolves when every request is answered or late, and all connections are closed. Never rejects. `servers` are the
 * service's server and then that of the metrics. With a successor the latter stops at once: scrapes that reach both
 * processes in turn would see counters fall.
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
