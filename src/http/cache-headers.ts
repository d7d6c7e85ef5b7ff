/** Cache-Control values and the comparison of entity tags (RFC 9110 section 13.1.2, RFC 9111). */

/** Errors and everything that belongs to one organization. */
export const noStore = 'no-store';

/** A render that is not what the template asks for: short, so that the right one comes soon (contract, success). */
export const degradedCacheControl = 'public, max-age=15';

/** An image in place of an error: for this reader alone, and briefly, because others with the link get the error. */
export const substituteCacheControl = 'private, max-age=15';

/** Seconds that a link without `_version` may be kept, unless its template says otherwise (contract, success). */
const maxAgeSecondsDefault = 300;

/** What the caching of a finished render depends on. */
export interface RenderCaching {
  /** Asked for by `_version`: these pixels never change. */
  isPinned: boolean;
  /** The template's own setting. */
  maxAgeSeconds: number | undefined;
  /** Only its holder of a key may see it: shared caches must not keep it. */
  isPrivate: boolean;
}

/** The `Cache-Control` of a render that is as its template asks. */
export function renderCacheControl(caching: RenderCaching): string {
  const scope = caching.isPrivate ? 'private' : 'public';
  if (caching.isPinned) return `${scope}, max-age=31536000, immutable`;
  const seconds = caching.maxAgeSeconds ?? maxAgeSecondsDefault;
  // A designer who writes 0 wants every reader to see the newest: a day of staleness would undo that.
  if (seconds === 0) return `${scope}, max-age=0, must-revalidate`;
  return `${scope}, max-age=${seconds}, stale-while-revalidate=86400`;
}

/** A `Cache-Control` among headers. */
const maxAgePattern = /^((?:public|private), max-age=)(\d+).*/;

/**
 * The same headers for an answer that nobody may show in `secondsLeft` any more: fresh for no longer, and never shown
 * stale. Without it a shared cache would answer a link for a day after it has expired, or for a year when it is pinned.
 */
export function limitCaching(headers: readonly string[], secondsLeft: number): readonly string[] {
  return headers.map((text) =>
    text.replace(
      maxAgePattern,
      (_, start: string, seconds: string) => `${start}${Math.min(Number(seconds), secondsLeft)}`,
    ),
  );
}

/**
 * Whether an `If-None-Match` header names `etag` (with its quotes), by weak comparison. A quote cannot
 * stand inside a tag, so a plain search for the quoted tag is exact: lists, `W/` and spaces need no parsing.
 */
export function matchesETag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false;
  // What nearly all callers send.
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch.includes(etag.slice(etag.indexOf('"'))) || ifNoneMatch.trim() === '*';
}
