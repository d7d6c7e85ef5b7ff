/** How much long tests do: `npm test` and CI run a part of their cases, `npm run test:full` and slow programs all. */

const isFull = process.env['TEST_FULL'] === '1';

/** The number of cases, runs or rounds. */
export function extent(part: number, full: number): number {
  return isFull ? full : part;
}

/** The reason, as tap takes it, why `npm test` and CI skip a test that is long as a whole. */
export const onlyFull: false | string = isFull ? false : 'npm run test:full runs it';
