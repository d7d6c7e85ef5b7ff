/** How long fetched bytes may be used: HTTP caching rules (RFC 9111, RFC 5861) inside the loader's own bounds. */
import type { AnswerHeaders } from './fetch-image.ts';
import type { ImageLoaderSettings } from '../loader-options.ts';

/** Points in time, ms since the epoch; each is at or after the one before. */
export interface Freshness {
  /** Until then the bytes are used without asking. */
  freshUntilMs: number;
  /** Until then they are used while being asked for again. */
  staleUntilMs: number;
  /** Until then they are used when asking fails. */
  errorUntilMs: number;
}

/**
 * Reads an answer's lifetime: `s-maxage`, `max-age`, else `Expires` minus `Date`, less `Age`, kept
 * within `freshMsMin` … `freshMsMax`; `freshMsDefault` when the origin says nothing.
 *
 * `no-store` and `no-cache` shorten the time to the minimum instead of forbidding it: the bytes
 * stay in memory, and a mail to thousands of readers must not ask its origin thousands of times.
 * They and `must-revalidate` forbid any use beyond that.
 */
export function readFreshness(
  headers: AnswerHeaders,
  settings: ImageLoaderSettings,
  nowMs: number,
): Freshness {
  const directives = readDirectives(headers['cache-control']);
  const uncacheable = ['no-store', 'no-cache', 'private'].some((name) => directives.has(name));
  const lifetimeMs = uncacheable
    ? 0
    : (statedMs(headers, directives, nowMs) ?? settings.freshMsDefault);
  const freshMs = Math.min(Math.max(lifetimeMs, settings.freshMsMin), settings.freshMsMax);
  const isStrict = ['no-store', 'no-cache', 'must-revalidate', 'proxy-revalidate'].some((name) =>
    directives.has(name),
  );
  const freshUntilMs = nowMs + freshMs;
  return {
    freshUntilMs,
    staleUntilMs: freshUntilMs + (isStrict ? 0 : settings.staleWhileRevalidateMs),
    errorUntilMs: freshUntilMs + (isStrict ? 0 : settings.staleIfErrorMs),
  };
}

/** The lifetime that the origin states, less the time that caches on the way have used up. */
function statedMs(
  headers: AnswerHeaders,
  directives: ReadonlyMap<string, string>,
  nowMs: number,
): number | undefined {
  const seconds = wholeSeconds(directives.get('s-maxage') ?? directives.get('max-age'));
  if (seconds !== undefined) return (seconds - (wholeSeconds(single(headers['age'])) ?? 0)) * 1000;
  const expires = single(headers['expires']);
  if (expires === undefined) return undefined;
  const date = Date.parse(single(headers['date']) ?? '');
  // RFC 9111 section 5.3: an unreadable time means that it has passed.
  return (Date.parse(expires) || 0) - (Number.isNaN(date) ? nowMs : date);
}

function readDirectives(value: string | string[] | undefined): ReadonlyMap<string, string> {
  const text = Array.isArray(value) ? value.join(',') : (value ?? '');
  return new Map(
    text.split(',').map((directive) => {
      const [name = '', argument = ''] = directive.split('=');
      return [name.trim().toLowerCase(), argument.trim().replaceAll('"', '')];
    }),
  );
}

function wholeSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
