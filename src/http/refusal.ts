/** What is refused before a handler sees it: unknown paths and methods, and bodies that are not to be had. */
import { AppError } from '../foundation/errors.ts';
import type { BodyFraming, HeadFault } from './body/request-body.ts';
import type { Exchange } from './exchange.ts';
import { tooLarge } from './body/request-body.ts';
import type { Endpoint, PathEntry, Route } from './route.ts';

/** The pattern of everything that no route knows. */
export const unknownPath = '/*';

/**
 * What speaks against a request, undefined when nothing does: BAD_REQUEST for a body where there is none or whose end
 * is unclear (`broken`), or for two hosts, NOT_FOUND, METHOD_NOT_ALLOWED, PAYLOAD_TOO_LARGE.
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

/** Whether the method of a request takes no body here, whatever its address: GET, HEAD, DELETE. */
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

/** NOT_FOUND, for an address that no route knows. */
export function nothingHere(): AppError {
  return new AppError('NOT_FOUND', 'There is nothing at this address; check the path.', {
    reason: 'path',
  });
}

/** The routes with one more that answers where none of them does, unless one of them is for that. */
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
