/** Reads what an origin's answer, or its silence, means for a fetch. */
import { ImageError } from '../image-error.ts';
import { isSignIn, shareAdvice } from './share-links.ts';
import { parseHttpUrl } from './source-url.ts';

/** What is looked at of an answer's head, lower-case names. */
interface AnswerHead {
  statusCode: number;
  headers: { location?: string | string[] | undefined };
}

/**
 * Where an answer redirects to; undefined when it does not. Throws an `ImageError`: `redirect` for an
 * address that cannot be asked, `status` for a sign-in page.
 */
export function redirectTarget(
  { statusCode, headers: { location } }: AnswerHead,
  from: URL,
): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
  if (typeof location !== 'string')
    throw new ImageError('redirect', 'is redirected, but its server does not say where to');
  let next: URL;
  try {
    // Bytes beyond ASCII arrive as Latin-1 signs; servers mean UTF-8.
    const escaped = location.replaceAll(
      /[\x80-\xff]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16)}`,
    );
    next = parseHttpUrl(escaped, from);
  } catch (error) {
    throw new ImageError('redirect', 'is redirected to an address that is no http(s) URL', {
      cause: error,
    });
  }
  if (isSignIn(next)) throw new ImageError('status', `needs a sign-in: ${shareAdvice}`);
  return next;
}

/** The error for a status that is neither 200 nor a redirect. */
export function statusError(status: number): ImageError {
  const message =
    status === 404 || status === 410
      ? `was not found at its address (status ${status})`
      : status === 401 || status === 403
        ? `is not publicly accessible (status ${status})`
        : `could not be fetched: its server answered with status ${status}`;
  return new ImageError('status', message, { status });
}

/** What undici and the sockets throw, as an `ImageError`; one that is such already as it is. */
export function toImageError(error: unknown): ImageError {
  if (error instanceof ImageError) return error;
  // Its code differs from mistake to mistake and is missing for some.
  const isParserError = error instanceof Error && error.name === 'HTTPParserError';
  const message = isParserError
    ? 'could not be fetched: its server does not answer in HTTP'
    : 'could not be fetched: the connection ended early';
  return new ImageError('network', message, { cause: error });
}
