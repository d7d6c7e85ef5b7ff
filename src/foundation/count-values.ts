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

/**
 * Counts the values within the JSON of `text`, at all depths, without parsing it: a text of a megabyte may have half a
 * million. Stops beyond `countMax`. For a text that is no JSON, the count has no meaning.
 */
export function countTextValues(text: string, countMax: number): number {
  // Each value but the first of its list or object follows a comma, and each first one a bracket.
  let count = 0;
  let isFirst = false;
  for (let index = 0; index < text.length && count <= countMax; index += 1) {
    const code = text.charCodeAt(index);
    if (code <= 0x20) continue;
    if (isFirst && code !== 0x5d && code !== 0x7d) count += 1;
    // `[` and `{`, a comma, and a quote.
    isFirst = code === 0x5b || code === 0x7b;
    if (code === 0x2c) count += 1;
    else if (code === 0x22) index = endOfString(text, index);
  }
  return count;
}

/** The index of the quote that ends the string that begins at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = start + 1; ; end += 1) {
    end = text.indexOf('"', end);
    if (end === -1) return text.length;
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}
