/** Lists the font families that a template document names. */

/** A family and a JSON path of its name, such as `layers[2].fontFamily[0]`. */
export interface NamedFamily {
  path: string;
  name: string;
}

/**
 * Names in `fonts` and in every `fontFamily`, as written, without duplicates. Takes any JSON value and reads only
 * strings. Levels deeper than 64 are ignored: template limits allow no more.
 */
export function namedFamilies(document: unknown): string[] {
  return [...new Set(familyMentions(document).map(({ name }) => name))];
}

/** Every name with its path, in the order of the document, `fonts` last. */
export function familyMentions(document: unknown): NamedFamily[] {
  const mentions: NamedFamily[] = [];
  collect(document, '', 0, mentions);
  if (isRecord(document)) addNames(document['fonts'], 'fonts', mentions);
  return mentions;
}

const levelsMax = 64;

function collect(value: unknown, path: string, level: number, mentions: NamedFamily[]): void {
  if (level > levelsMax) return;
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      if (typeof one === 'object' && one !== null)
        collect(one, `${path}[${index}]`, level + 1, mentions);
    }
  } else if (isRecord(value)) {
    for (const key of Object.keys(value)) {
      const one = value[key];
      const isNames = key === 'fontFamily';
      if (!isNames && (typeof one !== 'object' || one === null)) continue;
      const where = path === '' ? key : `${path}.${key}`;
      if (isNames) addNames(one, where, mentions);
      else collect(one, where, level + 1, mentions);
    }
  }
}

function addNames(value: unknown, path: string, mentions: NamedFamily[]): void {
  if (typeof value === 'string') mentions.push({ path, name: value });
  if (!Array.isArray(value)) return;
  for (const [index, name] of value.entries()) {
    if (typeof name === 'string') mentions.push({ path: `${path}[${index}]`, name });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
