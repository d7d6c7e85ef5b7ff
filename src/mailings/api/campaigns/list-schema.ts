/** How a list was read, in the API. */
import { Type } from 'typebox';
import type { ListFacts } from '../../campaigns/campaign.ts';

export const ListDetails = Type.Object(
  {
    columns: Type.Array(Type.String()),
    header_row: Type.Integer({ description: 'the row with the names of the columns; 0: none' }),
    recipient_column: Type.Union([Type.String(), Type.Null()], {
      description: 'the column by which rows are duplicates; null: the whole row',
    }),
    problems: Type.Array(Type.String(), { description: 'what was repaired in the header' }),
    sheets: Type.Optional(
      Type.Array(Type.String(), { description: 'of a workbook: its visible sheets' }),
    ),
    sheet_doubt: Type.Optional(
      Type.Boolean({
        description:
          'true if several sheets have rows and none was named: upload the list again with `sheet`, unless `sheet` is the right one',
      }),
    ),
  },
  {
    additionalProperties: true,
    description: 'how the list was read: kind, encoding, separator, sheet',
  },
);

/** Converts a stored list to its API form. */
export function showList({
  format,
  columns,
  headerRow,
  recipientColumn,
  headerProblems,
}: ListFacts): Record<string, unknown> {
  const { isSheetDoubted: sheet_doubt, ...shown } = { isSheetDoubted: undefined, ...format };
  return {
    ...shown,
    ...(sheet_doubt === true && { sheet_doubt }),
    columns,
    header_row: headerRow,
    recipient_column: recipientColumn ?? null,
    problems: headerProblems.map(({ message }) => message),
  };
}
