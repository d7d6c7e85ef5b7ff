/** `PATCH /v1/tables/{name}` and `/rows/{key}`: changes, adds and deletes single rows of data tables. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { composed, keyForms } from '#language/normal-form.ts';
import { AppError } from '../../../foundation/errors.ts';
import type { ErrorDetail } from '../../../foundation/errors.ts';
import { emptyReply, jsonReply } from '../../../http/reply.ts';
import type { RowChange } from '../../store/tables/change-rows.ts';
import { tableLimits } from '../../tables/table-limits.ts';
import { jsonAnswer, jsonBody, pathParameter } from '../../../api/declaration.ts';
import { endpoint } from '../../../api/endpoint.ts';
import { badBody } from '../../../api/request/input.ts';
import { closed } from '../../../api/shared-schemas.ts';
import {
  noSuchTable,
  noTable,
  parseTableName,
  requireTable,
  tableExample,
  tablePath,
  TableResponse,
  tableShared,
} from './tables.ts';
import type { TableParts } from './tables.ts';

const Cell = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
  expected: 'a text, a number, a boolean or null',
});

const TableRowsRequest = Type.Object(
  {
    rows: Type.Array(Type.Record(Type.String(), Cell), {
      minItems: 1,
      maxItems: tableLimits.changesMax,
      description:
        'cells by column, with the key; a row that is there keeps its other cells, and null empties a cell',
    }),
  },
  { ...closed, $id: 'TableRowsRequest' },
);
type TableRowsRequest = Static<typeof TableRowsRequest>;

const tooManyChanges = 'Too many rows are being changed; `Retry-After` says when to come back.';

const patchTable = endpoint(
  {
    ...tableShared,
    id: 'patchTable',
    route: 'table',
    method: 'patch',
    path: '/v1/tables/{name}',
    summary: 'Change rows of a data table',
    description:
      'Changes the given cells of rows, and adds the rows that are not there: all or none. Renders that begin after the answer draw them.',
    scope: 'write',
    pathParameters: tablePath,
    body: jsonBody('Rows, each with its key.', TableRowsRequest, {
      rows: [{ id: '8f2c', points: 1250 }],
    }),
    bodyBytesMax: tableLimits.changesBytesMax,
    answers: { 200: jsonAnswer('The table.', TableResponse, tableExample) },
    errors: {
      400: 'A row has no key, or a cell of a column that the table does not have.',
      404: noSuchTable,
      413: 'The body is too large, or the organization’s space is full.',
      503: tooManyChanges,
    },
    clientCall:
      "await platen.request('PATCH /v1/tables/{name}', { path: { name: 'members' }, body: { rows: [{ id: '8f2c', points: 1250 }] } })",
  },
  ({ tables, tableWriter }: TableParts) =>
    async (exchange, { holder, readBody }) => {
      const name = parseTableName(exchange);
      const { rows } = await readBody();
      const { length } = await exchange.readBody();
      const figures = await tableWriter.upsert(
        holder.uid,
        name,
        ({ key, columns }) => toChanges(rows, key, columns),
        length,
      );
      if (figures === undefined) throw noTable();
      return jsonReply(200, requireTable(tables, holder.uid, name));
    },
);

const deleteTableRow = endpoint(
  {
    ...tableShared,
    id: 'deleteTableRow',
    route: 'table-row',
    method: 'delete',
    path: '/v1/tables/{name}/rows/{key}',
    summary: 'Delete a row of a data table',
    description: 'Deletes one row: links with its key draw the defaults from then on.',
    scope: 'write',
    pathParameters: {
      ...tablePath,
      key: pathParameter('Key of the row, percent-encoded.', '8f2c'),
    },
    answers: { 204: { description: 'It is deleted.' } },
    errors: { 404: 'No such table in the organization, or no such row.', 503: tooManyChanges },
    clientCall:
      "await platen.request('DELETE /v1/tables/{name}/rows/{key}', { path: { name: 'members', key: '8f2c' } })",
  },
  ({ tableWriter }: TableParts) =>
    async (exchange, { holder }) => {
      const key = parseKey(exchange.parameters[1] ?? '');
      const figures = await tableWriter.deleteRow(holder.uid, parseTableName(exchange), key);
      if (figures === undefined) {
        throw new AppError('NOT_FOUND', 'Table or row not found', { reason: 'table-row' });
      }
      return emptyReply(204);
    },
);

export const tableRowEndpoints = [patchTable, deleteTableRow];

/** Decodes the key of a row in a path; empty, so that no row matches, for invalid percent-encoding. */
function parseKey(segment: string): string {
  try {
    return decodeURIComponent(segment).trim();
  } catch {
    return '';
  }
}

/** Converts the rows of a body to changes. Throws BAD_REQUEST with each problem; no message has the value of a cell. */
function toChanges(
  rows: TableRowsRequest['rows'],
  keyColumn: string,
  columns: readonly string[],
): RowChange[] {
  const { keyCharactersMax, cellCharactersMax } = tableLimits;
  const problems: ErrorDetail[] = [];
  const indexes = new Map(columns.map((column, index) => [composed(column), index]));
  const changes = rows.map((row, position): RowChange => {
    const cells = new Map<number, string>();
    const path = `rows[${position}]`;
    const keyName = keyForms(keyColumn).find((form) => Object.hasOwn(row, form));
    const given = keyName === undefined ? null : row[keyName];
    const key = String(given ?? '')
      .toWellFormed()
      .trim();
    if (key === '' || key.length > keyCharactersMax) {
      const message = `expected a key of 1 to ${keyCharactersMax} characters in "${keyColumn}"`;
      problems.push({ path, message });
    }
    for (const [column, value] of Object.entries(row)) {
      const index = indexes.get(composed(column));
      const text = String(value ?? '').toWellFormed();
      if (index === undefined) {
        problems.push({ path, message: `has "${column}", which is no column of the table` });
      } else if (text.length > cellCharactersMax) {
        const message = `has ${text.length} characters in "${column}", the limit is ${cellCharactersMax}`;
        problems.push({ path, message });
      } else cells.set(index, text);
    }
    return { key, cells };
  });
  if (problems.length > 0) throw badBody(problems, 'body');
  return changes;
}
