/** Reads a number that names a row out of a path. */

/** A positive whole number without leading zeros; undefined for everything else, which names nothing. */
export function parseId(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
