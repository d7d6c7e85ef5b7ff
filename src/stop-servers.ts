/** The orderly end of the servers: nobody new, and nobody left without an answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './http/server.ts';

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

/** Resolves when every request is answered, or its time is over, and all connections are closed. Never rejects. */
export async function stopServers(servers: readonly Server[], times: StopTimes): Promise<void> {
  if (times.delayMs > 0) await sleep(times.delayMs);
  await Promise.all(servers.map((server) => server.drain()));
  if (times.isPortShared) {
    await Promise.all(servers.map((server) => server.left(idleConnectionMsMax)));
  }
  await Promise.all(servers.map((server) => server.idle(times.requestMsMax)));
  for (const server of servers) server.close();
}
