/** `GET /healthz` and `GET /readyz`: liveness for process supervisors, readiness for load balancers. */
import { Type } from 'typebox';
import { jsonReply } from '../http/reply.ts';
import { jsonAnswer } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import type { SharedDatabase } from '../store/database/shared-port.ts';

const Health = Type.Object({ status: Type.Literal('ok') }, { $id: 'Health' });

const Readiness = Type.Object(
  {
    status: Type.Enum(['ready', 'not ready']),
    database: Type.Boolean(),
    workers: Type.Boolean({ description: 'each process has rendered' }),
    accepting: Type.Boolean({ description: 'false once the service is shutting down' }),
    shared_database: Type.Optional(
      Type.Enum(['connected', 'away'], {
        description:
          'Of a node with PLATEN_DATABASE_URL. While it is away, links are answered and nothing can be changed.',
      }),
    ),
  },
  { $id: 'Readiness' },
);

/** The parts that must work before a request can be answered; true for a part that works. */
export interface ReadyParts {
  database: boolean;
  workers: boolean;
  /** False once the service is shutting down. */
  accepting: boolean;
}

/** Makes the function that checks each part. */
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

const common = { tag: 'Service', errorShape: 'render', isUnshared: true } as const;

/** Checks only that this process answers. */
export const healthz = endpoint(
  {
    ...common,
    id: 'healthz',
    route: 'healthz',
    method: 'get',
    path: '/healthz',
    summary: 'Alive',
    description: 'The process answers.',
    answers: { 200: jsonAnswer('The process answers.', Health, { status: 'ok' }) },
  },
  () => () => jsonReply(200, { status: 'ok' }),
);

export const readyz = endpoint(
  {
    ...common,
    id: 'readyz',
    route: 'readyz',
    method: 'get',
    path: '/readyz',
    summary: 'Ready',
    description: 'Requests can be served.',
    answers: {
      200: jsonAnswer('Requests can be served.', Readiness, {
        status: 'ready',
        database: true,
        workers: true,
        accepting: true,
      }),
      503: jsonAnswer('A part is missing: it is false.', Readiness, {
        status: 'not ready',
        database: false,
        workers: true,
        accepting: true,
      }),
    },
  },
  ({ ready, shared }: { ready: () => ReadyParts; shared?: SharedDatabase | undefined }) =>
    () => {
      const parts = ready();
      const isReady = Object.values(parts).every(Boolean);
      const status = isReady ? 'ready' : 'not ready';
      const sharedParts = shared && {
        shared_database: shared.state.isConnected ? 'connected' : 'away',
      };
      const reply = jsonReply(isReady ? 200 : 503, { status, ...parts, ...sharedParts });
      return isReady ? reply : { ...reply, cause: 'not-ready' };
    },
);

export const serviceEndpoints = [healthz, readyz];
