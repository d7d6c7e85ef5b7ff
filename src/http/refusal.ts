/** Errors of requests that reach no handler: unknown paths and methods, and bodies that cannot be accepted. */
import { AppError } from '../foundation/errors.ts';
import type { BodyFraming, HeadFault } from './body/framing.ts';
import type { Exchange } from './exchange.ts';
import { tooLarge } from './body/request-body.ts';
import type { Endpoint, PathEntry, Route } from './route.ts';

/** The pattern of all paths without a route. */
export const unknownPath = '/*';

/**
 * Returns the error of a request that must not reach a handler, else undefined. BAD_REQUEST is for a body of a method
 * without one, a body with an unclear end (`broken`), and two hosts. The others are NOT_FOUND, METHOD_NOT_ALLOWED and
 * PAYLOAD_TOO_LARGE.
 */
export function refuse(
  entry: PathEntry,
  endpoint: Endpoint | undefined,
  exchange: Exchange,
  framing: BodyFraming | HeadFault | undefined,
): AppError | undefined {
  if (framing === 'hosts') {
    return new AppError('BAD_REQUEST', 'There must be one Host that is not empty; send one.', {
      reason: 'host',
    });
  }
  if (framing === 'broken') {
    return new AppError(
      'BAD_REQUEST',
      'Where the body ends is not clear: send one Content-Length, or "Transfer-Encoding: chunked".',
      { reason: 'framing' },
    );
  }
  if (framing !== undefined && isBodiless(exchange)) {
    return new AppError(
      'BAD_REQUEST',
      `A ${exchange.method} request has no body; send it without one.`,
      {
        reason: 'body',
      },
    );
  }
  if (endpoint === undefined) return wrongMethod(entry);
  const isTooLong = framing !== undefined && (framing.length ?? 1) > endpoint.bodyBytesMax;
  return isTooLong ? tooLarge(endpoint.bodyBytesMax) : undefined;
}

/** Whether the method accepts no body at any address: GET, HEAD, DELETE. */
export function isBodiless({ method }: Exchange): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'DELETE';
}

function wrongMethod({ path, allow }: PathEntry): AppError {
  if (path === unknownPath) return nothingHere();
  return new AppError('METHOD_NOT_ALLOWED', `This address answers ${allow} only.`, {
    allow,
    reason: 'method',
  });
}

/** NOT_FOUND, for an address without a route. */
export function nothingHere(): AppError {
  return new AppError('NOT_FOUND', 'There is nothing at this address; check the path.', {
    reason: 'path',
  });
}

/** Returns the routes with an additional one for unknown paths, unless they include one. */
export function withUnknownRoute(routes: readonly Route[]): readonly Route[] {
  return routes.some(({ path }) => path === unknownPath) ? routes : [...routes, unknownRoute];
}

const unknownRoute: Route = {
  name: 'unknown',
  path: unknownPath,
  get: () => {
    throw nothingHere();
  },
  errorShape: 'render',
};
