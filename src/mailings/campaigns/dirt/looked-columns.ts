/** The columns of a list whose cells are looked at for dirt, and what they have by their names. */
import type { ScalarVariable } from '#language/schema/template.ts';
import { listPart } from '../../../render/list-values.ts';
import type { PublishedTemplate } from '../../../store/published-cache.ts';
import { meaningOf, normalizeName } from '../../lists/column-names.ts';
import type { ListFacts } from '../campaign.ts';
import type { MappedColumn } from '../list/row-values.ts';

/** What a column has, by its name or that of its variable. */
export type Role = 'first' | 'last' | 'full' | 'place' | 'zip' | 'email' | 'image' | 'text';

/** A column whose cells are looked at. */
export interface LookedColumn {
  /** Index of the cell in a row. */
  index: number;
  column: string;
  /** The name of the variable or of the field of a list; undefined for a column that is not mapped. */
  name: string | undefined;
  role: Role;
  /** The variable that a cell is read for. */
  variable: ScalarVariable | undefined;
}

const roles: readonly (readonly [meaning: string, role: Role])[] = [
  ['firstname', 'first'],
  ['lastname', 'last'],
  ['name', 'full'],
  ['city', 'place'],
  ['country', 'place'],
  ['zip', 'zip'],
  ['email', 'email'],
];
const roleByMeaning: ReadonlyMap<number | undefined, Role> = new Map(
  roles.map(([meaning, role]) => [meaningOf(meaning), role]),
);

/** The role that the name of a column or a variable says; undefined if it says none. */
export function roleOf(name: string): Role | undefined {
  const meaning = meaningOf(normalizeName(name));
  return meaning === undefined ? undefined : roleByMeaning.get(meaning);
}

/** The columns to look at: mapped ones with texts or images, and the one with the recipients' addresses. */
export function lookedColumns(
  { columns, recipientColumn }: Pick<ListFacts, 'columns' | 'recipientColumn'>,
  mapped: readonly MappedColumn[],
  { variables }: Pick<PublishedTemplate, 'variables'>,
): LookedColumn[] {
  const looked = mapped.flatMap(({ index, name, variable }): LookedColumn[] => {
    const column = columns[index] ?? '';
    const scalar = variables.has(name) ? variable : listPart(name, variables)?.field;
    if (scalar === undefined || scalar.type === 'list') return [];
    if (scalar.type !== 'text' && scalar.type !== 'image') return [];
    const ofNames = roleOf(column) ?? roleOf(name.slice(name.lastIndexOf('.') + 1)) ?? 'text';
    const role = scalar.type === 'image' ? 'image' : column === recipientColumn ? 'email' : ofNames;
    return [{ index, column, name, role, variable: { ...scalar, name } }];
  });
  const index = columns.indexOf(recipientColumn ?? '');
  if (index === -1 || looked.some((each) => each.index === index)) return looked;
  const recipient = { index, column: columns[index] ?? '', name: undefined, variable: undefined };
  return [...looked, { ...recipient, role: 'email' }];
}
