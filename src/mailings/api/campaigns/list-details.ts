/** How the list of a campaign was read, in the API. */
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
  },
  {
    additionalProperties: true,
    description: 'how the list was read: kind, encoding, separator, sheet',
  },
);

export function showList(facts: ListFacts): Record<string, unknown> {
  const { format, columns, headerRow, recipientColumn = null, headerProblems } = facts;
  return {
    ...format,
    columns,
    header_row: headerRow,
    recipient_column: recipientColumn,
    problems: headerProblems.map(({ message }) => message),
    ...(facts.encodingDoubt && { encoding_doubt: facts.encodingDoubt }),
  };
}
