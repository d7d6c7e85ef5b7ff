/** The orderly end of the servers: nobody new, and nobody left without an answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../http/server.ts';

/** How long each step may take. */
export interface StopTimes {
  /** While new connections are still taken, because load balancers have not noticed yet. */
  delayMs: number;
  /** For a request that is in flight. */
  requestMsMax: number;
  /** Whether a successor listens on the port already: then nobody waits for this end, and no connection is cut. */
  isPortShared: boolean;
}

/**
 * Milliseconds until a connection on which nothing was asked is closed: uWebSockets.js does so 10 s after the last
 * answer and looks every 4 s (12 s were measured). Cut earlier, a request that is just on its way would be lost.
 */
const idleConnectionMsMax = 15_000;

/**
 * Resolves when every request is answered, or its time is over, and all connections are closed. Never rejects.
 * `servers` are the service's and then that of the metrics: beside a successor this leaves at once, because scrapes that
 * met now one process and now the other would see counters fall.
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

/** Ends a server whose callers ask again by themselves. */
async function leave(server: Server, { requestMsMax }: StopTimes): Promise<void> {
  await server.drain();
  await server.idle(requestMsMax);
  server.close();
}
