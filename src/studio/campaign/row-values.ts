/** Converts the cells of a row to values of variables. */
import type { Template } from '#language/schema/template.ts';
import type { Campaign } from '../../client/platen-client.ts';

/** A row in which the proof found problems. */
export interface ProblemRow {
  row: number;
  line: number;
  needs_you: boolean;
  problems: { code: string; variable: string | null; message: string }[];
  cells: Readonly<Record<string, string>>;
}

/** The variable of each mapped column. */
export function textMapping({ mapping }: Pick<Campaign, 'mapping'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mapping).map(([column, name]) => [column, String(name)]),
  );
}

/**
 * Returns `mapping` with another variable for a column, or none for an empty `name`. A variable takes its value from one
 * column only, so another column with it loses it.
 */
export function mapColumn(
  mapping: Readonly<Record<string, string>>,
  column: string,
  name: string,
): Record<string, string> {
  const others = Object.entries(mapping).filter(([each, used]) => each !== column && used !== name);
  return Object.fromEntries(name === '' ? others : [...others, [column, name]]);
}

/**
 * Values of a row by variable. Fields of a list variable become one JSON value. An empty cell is left out, because its
 * link uses the default; it is kept for a variable with `whenEmpty: 'empty'`.
 */
export function rowValues(
  mapping: Readonly<Record<string, string>>,
  cells: Readonly<Record<string, string>>,
  { variables }: Template,
): Record<string, string> {
  const values: Record<string, string> = {};
  const lists = new Map<string, Record<string, string>[]>();
  for (const [column, name] of Object.entries(mapping)) {
    const cell = cells[column] ?? '';
    const variable = variables.find((each) => each.name === name);
    if (variable !== undefined) {
      const isEmptyMeant = variable.type !== 'list' && variable.whenEmpty === 'empty';
      if (cell !== '' || isEmptyMeant) values[name] = cell;
      continue;
    }
    const [, list = '', index = '', field = ''] = /^(.+?)\.(\d+)\.(.+)$/.exec(name) ?? [];
    if (cell === '' || list === '') continue;
    const items = lists.get(list) ?? [];
    items[Number(index)] = { ...items[Number(index)], [field]: cell };
    lists.set(list, items);
  }
  for (const [name, items] of lists) values[name] = JSON.stringify(Object.values(items));
  return values;
}
