/** Bodies that say how the service is. */
import { Type } from 'typebox';

/** `GET /healthz` */
export const Health = Type.Object({ status: Type.Literal('ok') });

/** `GET /readyz` */
export const Readiness = Type.Object({
  status: Type.Enum(['ready', 'not ready']),
  database: Type.Boolean(),
  workers: Type.Boolean({ description: 'each thread has rendered' }),
  accepting: Type.Boolean({ description: 'false once the service is shutting down' }),
});
