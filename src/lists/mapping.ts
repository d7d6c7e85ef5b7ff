/** Proposes which column of a list each variable of a template takes. */
import { firstOfName, meaningOf, normalizeName } from './column-names.ts';

/** What the proposal reads of a template's variable. */
export interface MappableVariable {
  name: string;
  type: string;
  /** Of a list. */
  fields?: readonly { name: string }[];
}

/** How sure a proposal is, most sure first. */
export const mappingMatches = ['exact', 'alike', 'synonym', 'part'] as const;
export type MappingMatch = (typeof mappingMatches)[number];

/** One column for a variable, of which a list takes JSON; or for each item of a list a column for each field. */
export type VariableMapping =
  | { variable: string; match: MappingMatch; column: string }
  | { variable: string; match: MappingMatch; items: { field: string; column: string }[][] };

export interface MappingProposal {
  mappings: VariableMapping[];
  unmappedColumns: string[];
  variablesWithoutColumn: string[];
}

/**
 * By equal names first, then by names that differ in case, spaces, hyphens, underscores and accents, then by words that
 * email services use for the same; at last a first name serves for a name. A column goes to one variable. Columns such as `items.0.title` and `items[0].title`
 * make the items of a list, in the order of their numbers.
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

/** Names in their normalized spelling, each normalized once: one of an import may take a tenth of a millisecond. */
class NormalizedNames {
  readonly #known = new Map<string, string>();

  of(name: string): string {
    let normalized = this.#known.get(name);
    if (normalized === undefined) this.#known.set(name, (normalized = normalizeName(name)));
    return normalized;
  }

  /** Whether the names are equal but for their spelling; two without a letter are not. */
  areAlike(first: string, second: string): boolean {
    const normalized = this.of(first);
    return normalized !== '' && normalized === this.of(second);
  }
}

/** What a variable compares a column by; undefined for a column that matches none. */
function columnKey(
  normalized: string,
  column: string,
  match: MappingMatch,
): string | number | undefined {
  if (match === 'exact') return column;
  if (match === 'alike') return normalized === '' ? undefined : normalized;
  return meaningOf(normalized);
}

/** The key of the columns that a variable takes; undefined for none. */
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
