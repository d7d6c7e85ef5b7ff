/** Proposes which column of a list each variable of a template takes. */
import { isFirstOfName, namesAlike, normalizeName } from './column-names.ts';

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
  const found = new Map<string, VariableMapping>();
  for (const variable of variables) {
    const items = findItems(variable, free);
    if (items.length === 0) continue;
    for (const { column } of items.flat()) free.delete(column);
    found.set(variable.name, { variable: variable.name, match: 'exact', items });
  }
  for (const match of mappingMatches) {
    for (const { name } of variables) {
      if (found.has(name)) continue;
      const column = [...free].find((each) => isMatch(each, name, match));
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

function isMatch(column: string, name: string, match: MappingMatch): boolean {
  if (match === 'exact') return column === name;
  if (match === 'synonym') return namesAlike(column, name);
  if (match === 'part') return isFirstOfName(column, name);
  const normalized = normalizeName(name);
  return normalized !== '' && normalizeName(column) === normalized;
}

function findItems(
  { name, type, fields = [] }: MappableVariable,
  columns: ReadonlySet<string>,
): { field: string; column: string }[][] {
  if (type !== 'list') return [];
  const items = new Map<number, { field: string; column: string }[]>();
  for (const column of columns) {
    const [, list = '', dotted, bracketed, part = ''] =
      /^([^.[\]]+)(?:\.(\d{1,4})|\[(\d{1,4})\])\.(.+)$/.exec(column) ?? [];
    if (!isMatch(list, name, 'exact') && !isMatch(list, name, 'alike')) continue;
    const field = fields.find((each) => isMatch(part, each.name, 'alike'));
    if (field === undefined) continue;
    const index = Number(dotted ?? bracketed);
    items.set(index, [...(items.get(index) ?? []), { field: field.name, column }]);
  }
  return [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item);
}
