/** `GET /healthz` and `GET /readyz`: for whoever restarts the service and whoever sends it traffic. */
import type { Reply } from '../http/reply.ts';
import { jsonReply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';

/** Each part that must work before a request can be answered; true when it does. */
export interface ReadyParts {
  database: boolean;
  workers: boolean;
  /** False once the service is shutting down. */
  accepting: boolean;
}

/** Makes the function that asks each part. */
export function readyParts(
  database: { canRead(): boolean },
  pool: { isReady: boolean },
  state: { isAccepting: boolean },
): () => ReadyParts {
  return () => ({
    database: database.canRead(),
    workers: pool.isReady,
    accepting: state.isAccepting,
  });
}

/** Liveness, which needs nothing but this process, and readiness, asked of `parts` each time: 503 when one is false. */
export function healthRoutes(parts: () => ReadyParts): Route[] {
  return [
    {
      name: 'healthz',
      path: '/healthz',
      errorShape: 'render',
      get: () => jsonReply(200, { status: 'ok' }),
    },
    { name: 'readyz', path: '/readyz', errorShape: 'render', get: () => readiness(parts()) },
  ];
}

function readiness(parts: ReadyParts): Reply {
  const isReady = Object.values(parts).every(Boolean);
  const reply = jsonReply(isReady ? 200 : 503, {
    status: isReady ? 'ready' : 'not ready',
    ...parts,
  });
  return isReady ? reply : { ...reply, cause: 'not-ready' };
}
