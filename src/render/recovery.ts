/** Wraps the render route from outside: what it answers where its page fails. */
import type { Exchange } from '../http/exchange.ts';
import { errorReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { Handler } from '../http/server.ts';
import { coverError } from './fallback.ts';
import type { RenderService } from './get-render.ts';
import { audienceHeaders } from './image-request.ts';
import { RefusalPace } from './refusal-pace.ts';

/**
 * `page`, where it fails with an image for those who get one (`coverError`), else with the error of the render shape and
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
      const reply = coverError(error, exchange, service) ?? timedError(error, exchange);
      return reply instanceof Promise || reply.code !== 'OVERLOADED' ? reply : refusals.pace(reply);
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
  // A cache that keeps errors against `no-store` must not give a program's to a reader.
  const headers = ['Server-Timing', timing, 'Vary', audienceHeaders];
  return errorReply(error, 'render', requestId, headers);
}
