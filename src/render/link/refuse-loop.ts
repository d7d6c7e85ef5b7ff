/** Ends chains of renders that fetch one another's images. */
import { AppError } from '../../foundation/errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { RenderOrder } from '../order.ts';

/**
 * Throws BAD_REQUEST for a render that would fetch images on behalf of another render's fetch (RFC 8586). An
 * image of one render may stand in another; a chain longer than that could come back to its beginning.
 */
export function refuseLoop(exchange: Exchange, order: RenderOrder): void {
  if (!exchange.isLooped || !order.hasRemoteSources) return;
  throw new AppError(
    'BAD_REQUEST',
    'This render was asked for as an image of another render (CDN-Loop), and needs images by address itself: upload them as assets.',
    { reason: 'loop' },
  );
}
