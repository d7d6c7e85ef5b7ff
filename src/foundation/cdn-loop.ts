/** The header `CDN-Loop` (RFC 8586), which marks requests of Platen itself. */

/** The `cdn-id` of every Platen, so that a loop through two installations ends as well. */
export const loopToken = 'platen';

/** Whether a value of `CDN-Loop` contains `loopToken`; parameters of an id are ignored. */
export function namesLoop(value: string): boolean {
  return value
    .toLowerCase()
    .split(',')
    .some((entry) => entry.split(';', 1)[0]?.trim() === loopToken);
}
