/** Wraps the render route from outside: errors, too, tell in `Server-Timing` how long they took. */
import type { Exchange } from '../http/exchange.ts';
import { errorReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { Handler } from '../http/server.ts';
import { timingText } from './render-stats.ts';

/** `handler` with `Server-Timing: cache;desc=error, total;dur=12.3` on each error body of the render shape. */
export function withTimedErrors(handler: Handler): Handler {
  return (exchange) => {
    try {
      const reply = handler(exchange);
      if (!(reply instanceof Promise)) return reply;
      return reply.catch((error: unknown) => timedError(error, exchange));
    } catch (error) {
      return timedError(error, exchange);
    }
  };
}

function timedError(error: unknown, { requestId, startedMs }: Exchange): Reply {
  const reply = errorReply(error, 'render', requestId);
  const timing = `cache;desc=error, ${timingText({ total: performance.now() - startedMs })}`;
  return { ...reply, headers: [...reply.headers, 'Server-Timing', timing] };
}
