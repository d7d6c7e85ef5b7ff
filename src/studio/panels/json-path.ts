/** Reads and writes places inside a JSON document. */

/** Names of properties and indices of items, from the outside in. */
export type Path = readonly (string | number)[];

/** The value at a place; undefined where there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/**
 * Writes a value in place; undefined removes the property, or the item with its place in the list. `makes` makes the
 * object that holds it, where there is none, and takes it away again when nothing is left in it; without, nothing is
 * changed where what should hold the value is not there.
 */
export function setAt(root: object, path: Path, value: unknown, makes = false): void {
  const last = path.at(-1);
  if (last === undefined) return;
  const above = path.slice(0, -1);
  if (makes && valueAt(root, above) === undefined && value !== undefined) setAt(root, above, {});
  const parent = valueAt(root, above);
  if (typeof parent !== 'object' || parent === null) return;
  if (Array.isArray(parent) && typeof last === 'number') {
    if (value === undefined) parent.splice(last, 1);
    else parent[last] = value;
    return;
  }
  const holder = parent as Record<string | number, unknown>;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  if (makes && Object.keys(holder).length === 0) setAt(root, above, undefined);
}

/** A path as the service's errors write it: `layers[2].shadow[0].color`. */
export function pathText(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}

/** The line of a refusal that speaks of a place, or of what is inside it; undefined when it speaks of others. */
export function problemAt(refusal: string | undefined, path: string): string | undefined {
  return refusal?.split('\n').find((line) => {
    return line.startsWith(path) && !/\w/.test(line[path.length] ?? ' ');
  });
}
