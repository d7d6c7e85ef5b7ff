/** What the log and the metrics are told of a request. */
import type { Exchange } from './exchange.ts';
import type { CacheState, Reply } from './reply.ts';

/** What is told of a finished request; `status` 499 means that the caller left before the answer. */
export interface RequestRecord {
  exchange: Exchange;
  route: string;
  status: number;
  ms: number;
  cacheState: CacheState | undefined;
  /** Of an error, also of one that was answered with a picture. */
  code: Reply['code'] | undefined;
  cause: string | undefined;
  detail: string | undefined;
  /** As in `Reply`. */
  notes: Reply['notes'];
}
