/** Counts the values within a JSON value, before code spends time on each of them. */

/** Counts the values within `value`, at all depths and without those of `apart`. Stops beyond `countMax`. */
export function countValues(value: unknown, countMax: number, apart?: unknown): number {
  const open = [value];
  let count = 0;
  while (open.length > 0 && count <= countMax) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || next === apart) continue;
    const parts: unknown[] = Object.values(next);
    count += parts.length;
    if (count <= countMax) for (const part of parts) open.push(part);
  }
  return count;
}
