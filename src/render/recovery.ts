/** Wraps the render route from outside: what it answers where its page fails. */
import type { Exchange } from '../http/exchange.ts';
import { errorReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { Handler } from '../http/server.ts';
import { coverError } from './fallback.ts';
import type { RenderService } from './get-render.ts';
import { RefusalPace } from './refusal-pace.ts';

/**
 * `page`, where it fails with a picture if the template asks for one, else with the error of the render shape and
 * `Server-Timing: cache;desc=error, total;dur=12.3`. `tell` makes an error of the API of what a store throws. In one
 * place: an error that is caught and thrown again and again takes a third of the time of a refusal.
 */
export function withRecovery(
  page: Handler,
  service: RenderService,
  tell: (error: unknown) => unknown,
): Handler {
  const refusals = new RefusalPace();
  const recover = (thrown: unknown, exchange: Exchange): Reply | Promise<Reply> => {
    const error = tell(thrown);
    try {
      const covered = coverError(error, exchange, service);
      if (covered === undefined) {
        const reply = timedError(error, exchange);
        return reply.code === 'OVERLOADED' ? refusals.pace(reply) : reply;
      }
      return covered.catch((failed: unknown) => timedError(tell(failed), exchange));
    } catch (failed) {
      return timedError(tell(failed), exchange);
    }
  };
  return (exchange) => {
    try {
      const reply = page(exchange);
      if (!(reply instanceof Promise)) return reply;
      return reply.catch((error: unknown) => recover(error, exchange));
    } catch (error) {
      return recover(error, exchange);
    }
  };
}

function timedError(error: unknown, { requestId, startedMs }: Exchange): Reply {
  const totalMs = performance.now() - startedMs;
  const timing = `cache;desc=error, total;dur=${totalMs.toFixed(1)}`;
  return errorReply(error, 'render', requestId, ['Server-Timing', timing]);
}
