/** Proposes a column of a list for each variable of a template. */
import { firstOfName, meaningOf, normalizeName } from './column-names.ts';

/** The part of a template's variable that the proposal reads. */
export interface MappableVariable {
  name: string;
  type: string;
  /** Fields of a list variable. */
  fields?: readonly { name: string }[];
}

/** Kinds of matches, the most reliable first. */
export const mappingMatches = ['exact', 'alike', 'synonym', 'part'] as const;
export type MappingMatch = (typeof mappingMatches)[number];

/** One column for a variable, which contains JSON for a list; or, for each item of a list, a column for each field. */
export type VariableMapping =
  | { variable: string; match: MappingMatch; column: string }
  | { variable: string; match: MappingMatch; items: { field: string; column: string }[][] };

export interface MappingProposal {
  mappings: VariableMapping[];
  unmappedColumns: string[];
  variablesWithoutColumn: string[];
}

/**
 * Matches equal names first, then names that differ in case, spaces, hyphens, underscores and accents, then synonyms
 * that email services use. At last, a column with a first name matches a variable for a whole name. A column maps to
 * one variable. Columns such as `items.0.title` and `items[0].title` become the items of a list, in the order of their
 * numbers.
 */
export function proposeMapping(
  columns: readonly string[],
  variables: readonly MappableVariable[],
): MappingProposal {
  const free = new Set(columns);
  const names = new NormalizedNames();
  const found = new Map<string, VariableMapping>();
  for (const variable of variables) {
    const items = findItems(variable, free, names);
    if (items.length === 0) continue;
    for (const { column } of items.flat()) free.delete(column);
    found.set(variable.name, { variable: variable.name, match: 'exact', items });
  }
  for (const match of mappingMatches) {
    const byKey = Map.groupBy(free, (column) => columnKey(names.of(column), column, match));
    for (const { name } of variables) {
      if (found.has(name)) continue;
      const key = variableKey(names.of(name), name, match);
      const column = key === undefined ? undefined : byKey.get(key)?.find((each) => free.has(each));
      if (column === undefined) continue;
      free.delete(column);
      found.set(name, { variable: name, match, column });
    }
  }
  return {
    mappings: variables.flatMap(({ name }) => found.get(name) ?? []),
    unmappedColumns: [...free],
    variablesWithoutColumn: variables.map(({ name }) => name).filter((name) => !found.has(name)),
  };
}

/** Normalizes each name once, because a name of an import may take 0.1 ms. */
class NormalizedNames {
  readonly #known = new Map<string, string>();

  of(name: string): string {
    let normalized = this.#known.get(name);
    if (normalized === undefined) this.#known.set(name, (normalized = normalizeName(name)));
    return normalized;
  }

  /** Whether the normalized names are equal and not empty. */
  areAlike(first: string, second: string): boolean {
    const normalized = this.of(first);
    return normalized !== '' && normalized === this.of(second);
  }
}

/** The key of a column for a kind of match; undefined for a column that cannot match. */
function columnKey(
  normalized: string,
  column: string,
  match: MappingMatch,
): string | number | undefined {
  if (match === 'exact') return column;
  if (match === 'alike') return normalized === '' ? undefined : normalized;
  return meaningOf(normalized);
}

/** The key of the columns that match a variable; undefined for none. */
function variableKey(
  normalized: string,
  name: string,
  match: MappingMatch,
): string | number | undefined {
  return match === 'part' ? firstOfName(normalized) : columnKey(normalized, name, match);
}

function findItems(
  { name, type, fields = [] }: MappableVariable,
  columns: ReadonlySet<string>,
  names: NormalizedNames,
): { field: string; column: string }[][] {
  if (type !== 'list') return [];
  const items = new Map<number, { field: string; column: string }[]>();
  for (const column of columns) {
    const [, list = '', dotted, bracketed, part = ''] =
      /^([^.[\]]+)(?:\.(\d{1,4})|\[(\d{1,4})\])\.(.+)$/.exec(column) ?? [];
    if (list !== name && !names.areAlike(list, name)) continue;
    const field = fields.find((each) => names.areAlike(part, each.name));
    if (field === undefined) continue;
    const index = Number(dotted ?? bracketed);
    items.set(index, [...(items.get(index) ?? []), { field: field.name, column }]);
  }
  return [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item);
}
