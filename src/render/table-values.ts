/** Finds the texts of variables whose values come from data tables. */
import { keyForms } from '#language/normal-form.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { mayReadTable, parseTableSource } from '#language/values/table-source.ts';
import type { TableSource } from '#language/values/table-source.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';

/** A row of a table: the text of a column, undefined for an unknown one. */
export type TableRow = (column: string) => string | undefined;

/** Looks up rows of data tables. */
export interface TableLookup {
  /**
   * Finds a row; undefined for an unknown table or key. Never waits for a writer. Throws a `StoreError`, `ABSENT` if
   * this node of a shared database has no rows of the table yet.
   */
  findRow(organizationUid: string, table: string, key: string): TableRow | undefined;
}

/** For renders whose variables take their defaults. */
export const noTables: TableLookup = { findRow: () => undefined };

type SourceOf = readonly [variable: Variable, source: TableSource];

const sources = new WeakMap<Template, readonly SourceOf[]>();

/**
 * The variables of a template with values from tables, in the template's order. A document of before the limit of tables
 * reads the first ones; the variables of the others have their defaults.
 */
function tableSources(document: Template): readonly SourceOf[] {
  let found = sources.get(document);
  if (found === undefined) {
    const tables = new Set<string>();
    found = document.variables.flatMap((variable) => {
      if (variable.from === undefined) return [];
      const source = parseTableSource(variable.from);
      return mayReadTable(tables, source.table) ? [[variable, source] as const] : [];
    });
    sources.set(document, found);
  }
  return found;
}

/**
 * The cells for a template's variables; none for an unknown table, key or column. `values` has the values of the key
 * variables, and `given` their texts in the link, before corrections such as that of `="00123"`: a file of a sheet may
 * have its keys so. A row of such a text comes before that of the value. Each row is read once, so that all its cells are
 * consistent. Throws a `StoreError`.
 */
export function findTableTexts(
  { document, organizationUid }: Pick<PublishedTemplate, 'document' | 'organizationUid'>,
  values: ReadonlyMap<string, string>,
  given: ReadonlyMap<string, string>,
  tables: TableLookup,
): [variable: Variable, text: string][] {
  const rows = new Map<string, TableRow | undefined>();
  const texts: [Variable, string][] = [];
  for (const [variable, { table, keyVariable, column }] of tableSources(document)) {
    const value = (values.get(keyVariable) ?? '').trim();
    if (value === '') continue;
    const rowName = `${table}.${value}`;
    if (!rows.has(rowName)) {
      const written = (given.get(keyVariable) ?? '').trim();
      const forms = new Set([...keyForms(written), ...keyForms(value)]);
      forms.delete('');
      let row: TableRow | undefined;
      for (const form of forms) row ??= tables.findRow(organizationUid, table, form);
      rows.set(rowName, row);
    }
    const row = rows.get(rowName);
    if (row === undefined) continue;
    // A table of an earlier version has its columns as its file wrote them.
    const text = keyForms(column)
      .map(row)
      .find((cell) => cell !== undefined);
    if (text !== undefined) texts.push([variable, text]);
  }
  return texts;
}
