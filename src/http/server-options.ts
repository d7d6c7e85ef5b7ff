/** What a server is made of. */
import type { Log } from '../foundation/log.ts';
import type { RequestRecord } from './exchange.ts';
import type { Route } from './route.ts';
import type { UnreadAnswers } from './unread-answers.ts';

export interface ServerOptions {
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Whether another process of the same user may listen on the port too, to take over from this one. Default: no. */
  sharesPort?: boolean;
  /** PEM files; plain HTTP if absent. */
  tls?: { certificatePath: string; keyPath: string };
  /** The deadline of each request. */
  timeoutMs: number;
  routes: readonly Route[];
  /** Addresses and CIDR blocks of proxies whose `X-Forwarded-For` is trusted. Default: none. */
  trustedProxies?: readonly string[];
  /** Whether the `rate` of routes applies. Default: yes. */
  limitsAddresses?: boolean;
  /** Origins whose pages may call `/v1` in a browser. Default: none. */
  corsOrigins?: readonly string[];
  /** Open connections; any further one is closed at once. Default: `connectionsMaxDefault`. */
  connectionsMax?: number;
  /** Bodies that clients have not read; servers may share it. Default: one of this server. */
  unread?: UnreadAnswers;
  /** Called after each request; must not throw. */
  onRequest: (record: RequestRecord) => void;
  log: Log;
}
