/** Wraps the render route from outside: what it answers where its page fails. */
import type { Exchange } from '../http/exchange.ts';
import { errorReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { Handler } from '../http/server.ts';
import { coverError } from './fallback.ts';
import type { LinkReading, RenderPage, RenderService } from './get-render.ts';
import { audienceHeaders } from './image-request.ts';

/**
 * `page`, where it fails with an image for those who get one (`coverError`), else with the error of the render shape and
 * `Server-Timing: cache;desc=error, total;dur=12.3`. `tell` makes an error of the API of what a store throws. In one
 * place: an error that is caught and thrown again and again takes a third of the time of a refusal.
 */
export function withRecovery(
  page: RenderPage,
  service: RenderService,
  tell: (error: unknown) => unknown,
): Handler {
  const refusals = new RefusalPace();
  const recover = (
    thrown: unknown,
    exchange: Exchange,
    link: LinkReading,
  ): Reply | Promise<Reply> => {
    const error = tell(thrown);
    try {
      const reply = coverError(error, exchange, link, service) ?? timedError(error, exchange);
      return reply instanceof Promise || reply.code !== 'OVERLOADED' ? reply : refusals.pace(reply);
    } catch (failed) {
      return timedError(tell(failed), exchange);
    }
  };
  return (exchange) => {
    const link: LinkReading = {};
    try {
      const reply = page(exchange, link);
      if (!(reply instanceof Promise)) return reply;
      return reply.catch((error: unknown) => recover(error, exchange, link));
    } catch (error) {
      return recover(error, exchange, link);
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

// Slows down clients that ask again as soon as they are refused: refusing them would take the processor from rendering.

/** Refusals answered at once: 2,000 a second, some 60 µs of the main thread each (measured). */
const atOnceMax = 200;
const windowMs = 100;

/**
 * Milliseconds until the others are answered. A client that waits for each answer then sends at most one request a
 * second, on 10,000 connections at most. Longer, and floods that do not wait would use up all connections.
 */
const holdMs = 1000;

/** One a service. Whatever the flood, a refusal is answered at once or after `holdMs`. */
export class RefusalPace {
  #windowEndMs = 0;
  #left = 0;

  /** The refusal, now or later. */
  pace(refusal: Reply): Reply | Promise<Reply> {
    const nowMs = performance.now();
    if (nowMs >= this.#windowEndMs) {
      this.#windowEndMs = nowMs + windowMs;
      this.#left = atOnceMax;
    }
    this.#left -= 1;
    if (this.#left >= 0) return refusal;
    return new Promise((resolve) => setTimeout(resolve, holdMs, refusal));
  }
}
