/** The mapping of a list's columns to variables: proposed by names, or given and checked. */
import type { ErrorDetail } from '../../foundation/errors.ts';
import { proposeMapping } from '../../lists/mapping.ts';
import { listPart } from '../../render/list-values.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import type { ColumnMapping, ListFacts } from '../campaign.ts';

type Columns = Pick<ListFacts, 'columns'>;
type Variables = Pick<PublishedTemplate, 'variables'>;

/** The mapping that the names of the columns suggest. */
export function proposedMapping({ columns }: Columns, { variables }: Variables): ColumnMapping {
  // Built from pairs: a column may be called `__proto__`.
  const pairs: [column: string, name: string][] = [];
  for (const found of proposeMapping(columns, [...variables.values()]).mappings) {
    if ('column' in found) pairs.push([found.column, found.variable]);
    else {
      for (const [index, fields] of found.items.entries()) {
        for (const { field, column } of fields)
          pairs.push([column, `${found.variable}.${index}.${field}`]);
      }
    }
  }
  return Object.fromEntries(pairs);
}

/** What is wrong with a given mapping: columns and variables that do not exist, and variables with two columns. */
export function mappingProblems(
  mapping: ColumnMapping,
  { columns }: Columns,
  { variables }: Variables,
): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const used = new Map<string, string>();
  for (const [column, name] of Object.entries(mapping)) {
    const path = `map.${column}`;
    if (!columns.includes(column)) {
      problems.push({ path, message: `is no column of the list; it has ${quoted(columns)}` });
    } else if (!variables.has(name) && listPart(name, variables) === undefined) {
      const names = quoted([...variables.keys()]);
      problems.push({
        path,
        message: `is "${name}", expected a variable of the template: ${names}`,
      });
    } else if (used.has(name)) {
      const message = `is "${name}", which has the column "${used.get(name)}" already`;
      problems.push({ path, message });
    }
    used.set(name, column);
  }
  return problems;
}

/** The variables that no column gives: they are drawn with their defaults in all rows. */
export function variablesWithoutColumn(mapping: ColumnMapping, { variables }: Variables): string[] {
  const mapped = new Set(
    Object.values(mapping).map((name) => listPart(name, variables)?.list.name ?? name),
  );
  return [...variables.keys()].filter((name) => !mapped.has(name));
}

const namesMax = 20;

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).map((name) => `"${name}"`);
  return `${shown.join(', ')}${names.length > namesMax ? ' …' : ''}`;
}
