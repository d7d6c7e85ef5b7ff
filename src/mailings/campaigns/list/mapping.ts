/** The mapping of a list's columns to variables: proposed by names, or given and checked. */
import type { ErrorDetail } from '../../../foundation/errors.ts';
import { proposeMapping } from '../../lists/mapping.ts';
import { listPart } from '../../../render/list-values.ts';
import type { PublishedTemplate } from '../../../store/published-cache.ts';
import type { ColumnMapping, ListFacts } from '../campaign.ts';

type Columns = Pick<ListFacts, 'columns'>;
type Variables = Pick<PublishedTemplate, 'variables'>;

/** Proposes the mapping that the names of the columns suggest. */
export function proposedMapping({ columns }: Columns, { variables }: Variables): ColumnMapping {
  // Built from pairs, because a column may have the name `__proto__`.
  const pairs: [column: string, name: string][] = [];
  const given = [...variables.values()].filter(({ from }) => from === undefined);
  for (const found of proposeMapping(columns, given).mappings) {
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

/** Finds the problems of a given mapping: columns and variables that do not exist, and variables with two columns. */
export function mappingProblems(
  mapping: ColumnMapping,
  { columns }: Columns,
  { variables }: Variables,
): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const used = new Map<string, string>();
  for (const [column, name] of Object.entries(mapping)) {
    const path = `map.${column}`;
    const part = variables.has(name) ? undefined : listPart(name, variables);
    // Normalizes the index of an item: `items.00.title` is `items.0.title`.
    const field = part && `${part.list.name}.${part.index}.${part.field.name.split('.').at(-1)}`;
    if (!columns.includes(column)) {
      problems.push({ path, message: `is no column of the list; it has ${quoted(columns)}` });
    } else if (variables.get(name)?.from !== undefined) {
      problems.push({ path, message: `is "${name}", whose value comes from a data table` });
    } else if (!variables.has(name) && part === undefined) {
      const names = quoted([...variables.keys()]);
      problems.push({
        path,
        message: `is "${name}", expected a variable of the template: ${names}`,
      });
    } else if (used.has(field ?? name) || (part && used.has(part.list.name))) {
      const other = used.get(field ?? name) ?? used.get(part?.list.name ?? '');
      problems.push({ path, message: `is "${name}", which has the column "${other}" already` });
    }
    used.set(field ?? name, column);
  }
  return problems;
}

/** The variables that no column gives: they are drawn with their defaults in all rows. */
export function variablesWithoutColumn(mapping: ColumnMapping, { variables }: Variables): string[] {
  const mapped = new Set(
    Object.values(mapping).map((name) => listPart(name, variables)?.list.name ?? name),
  );
  return [...variables.values()]
    .filter(({ name, from }) => from === undefined && !mapped.has(name))
    .map(({ name }) => name);
}

const namesMax = 20;

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).map((name) => `"${name}"`);
  return `${shown.join(', ')}${names.length > namesMax ? ' …' : ''}`;
}
