/** Parses the expiry of a link in the arguments of a command. */
import { CommandError, exitCodes } from './exit-codes.ts';

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/**
 * Parses a duration or a date into ms since the epoch. Throws a `CommandError` for any other text, and for a date in
 * the past.
 */
export function parseExpiry(text: string): number {
  const span = /^(\d{1,6})([smhdw])$/.exec(text);
  const unit = secondsOf[span?.[2] ?? ''];
  if (span !== null && unit !== undefined) return Date.now() + Number(span[1]) * unit * 1000;
  const date = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (date > Date.now()) return date;
  throw new CommandError(
    exitCodes.usage,
    `--expires ${text}: expected a time from now on such as 90s, 15m, 12h, 7d or 4w, or a date to come such as 2030-01-31.`,
  );
}
