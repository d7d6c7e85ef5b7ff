/** How a list was read, in the API. */
import { Type } from 'typebox';
import type { ListFacts } from '../../campaigns/campaign.ts';

const EncodingDoubt = Type.Object(
  {
    readings: Type.Array(
      Type.Object({
        encoding: Type.String(),
        cells: Type.Array(Type.String(), { description: 'the first cells that differ' }),
      }),
      { description: 'the one that was taken first' },
    ),
  },
  {
    description:
      'encodings that are about as likely: send the list again with the right `encoding`; absent if the encoding is sure',
  },
);

export const ListDetails = Type.Object(
  {
    columns: Type.Array(Type.String()),
    header_row: Type.Integer({ description: 'the row with the names of the columns; 0: none' }),
    recipient_column: Type.Union([Type.String(), Type.Null()], {
      description: 'the column by which rows are duplicates; null: the whole row',
    }),
    problems: Type.Array(Type.String(), { description: 'what was repaired in the header' }),
    encoding_doubt: Type.Optional(EncodingDoubt),
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
  encodingDoubt,
}: ListFacts): Record<string, unknown> {
  const { isSheetDoubted: sheet_doubt, ...shown } = { isSheetDoubted: undefined, ...format };
  return {
    ...shown,
    ...(sheet_doubt === true && { sheet_doubt }),
    columns,
    header_row: headerRow,
    recipient_column: recipientColumn ?? null,
    problems: headerProblems.map(({ message }) => message),
    ...(encodingDoubt && { encoding_doubt: encodingDoubt }),
  };
}
