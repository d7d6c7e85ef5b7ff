/** Counts what limits a text: its code points and its lines. */

/** What ends a line for certain (Unicode UAX #14: BK, CR, LF, NL); CR LF ends one. */
// oxlint-disable-next-line no-control-regex -- vertical tab and form feed are among them
export const lineBreakPattern = /\r\n|[\n\r\u000B\u000C\u0085\u2028\u2029]/g;

/** How many lines end in a text. Linear time. */
export function countLineBreaks(text: string): number {
  return text.match(lineBreakPattern)?.length ?? 0;
}

/** How many Unicode code points a text has. Linear time. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
