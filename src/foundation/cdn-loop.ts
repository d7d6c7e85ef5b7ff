/** The header `CDN-Loop` (RFC 8586), by which a service recognizes requests that services of its kind have sent. */

/** The `cdn-id` of every Platen: a loop through two installations ends as one through a single installation does. */
export const loopToken = 'platen';

/** Whether a value of `CDN-Loop` has `loopToken` among its ids; parameters of an id do not count. */
export function namesLoop(value: string): boolean {
  return value
    .toLowerCase()
    .split(',')
    .some((entry) => entry.split(';', 1)[0]?.trim() === loopToken);
}
