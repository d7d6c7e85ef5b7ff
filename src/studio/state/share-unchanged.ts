/** Keeps the objects of an earlier JSON value wherever a later one says the same. */

/**
 * `next` with every part that equals `previous` replaced by the part of `previous`, and `previous` itself where all is
 * equal: what has not changed keeps its identity, which makes a comparison cheap and a long history small. Changes
 * `next` in place; neither value may be changed afterwards.
 */
export function shareUnchanged<Value>(previous: unknown, next: Value): Value {
  if (Object.is(previous, next)) return next;
  if (!isContainer(previous) || !isContainer(next)) return next;
  if (Array.isArray(previous) !== Array.isArray(next)) return next;
  const keys = Object.keys(next);
  const previousKeys = Object.keys(previous);
  let isEqual = previousKeys.length === keys.length;
  // The order of the keys counts: a document is saved as it stands.
  for (const [index, key] of keys.entries()) {
    const shared = shareUnchanged(previous[key], next[key]);
    (next as Record<string, unknown>)[key] = shared;
    if (!Object.is(shared, previous[key]) || previousKeys[index] !== key) isEqual = false;
  }
  return isEqual ? (previous as Value) : next;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
