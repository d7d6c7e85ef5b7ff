/** Bounds how long a property of the renderer is tried. */

/**
 * `run` as it is for `limitMs` from its first call on, afterwards without effect. fast-check's own limit leaves the
 * run behind that it cuts off, which then asserts after its test has ended.
 */
export function runWithin<Args extends unknown[]>(
  limitMs: number,
  run: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  let endMs: number | undefined;
  return async (...args) => {
    endMs ??= performance.now() + limitMs;
    if (performance.now() <= endMs) await run(...args);
  };
}
