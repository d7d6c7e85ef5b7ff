/** Lists the font families that a template document names. */

/**
 * Names in `fonts` and in every `fontFamily`, each once and as written. Takes any JSON value: only strings at those
 * places count. A document has at most 64 levels by its own limits; deeper ones are not looked into.
 */
export function namedFamilies(document: unknown): string[] {
  const names = new Set<string>();
  collect(document, 0, names);
  if (isRecord(document)) addNames(document['fonts'], names);
  return [...names];
}

const levelsMax = 64;

function collect(value: unknown, level: number, names: Set<string>): void {
  if (level > levelsMax) return;
  if (Array.isArray(value)) {
    for (const one of value) collect(one, level + 1, names);
  } else if (isRecord(value)) {
    for (const [key, one] of Object.entries(value)) {
      if (key === 'fontFamily') addNames(one, names);
      else if (typeof one === 'object') collect(one, level + 1, names);
    }
  }
}

function addNames(value: unknown, names: Set<string>): void {
  for (const one of Array.isArray(value) ? value : [value]) {
    if (typeof one === 'string') names.add(one);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
