/** How much the exhaustive tests do: `npm test` runs a part of their cases, `npm run test:full` all of them. */

const isFull = process.env['TEST_FULL'] === '1';

/** The number of cases, runs or rounds. Each file that calls this is part of `npm run test:full`. */
export function extent(part: number, full: number): number {
  return isFull ? full : part;
}
