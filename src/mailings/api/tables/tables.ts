/** `/v1/tables`: uploads data tables, lists them and deletes them. */
import { Type } from 'typebox';
import { tableNamePattern } from '#language/values/table-source.ts';
import { AppError } from '../../../foundation/errors.ts';
import type { Exchange } from '../../../http/exchange.ts';
import { emptyReply, jsonReply } from '../../../http/reply.ts';
import type { TableStore } from '../../store/tables/table-store.ts';
import { tablesMax } from '../../store/tables/table-store.ts';
import { tableLimits } from '../../tables/table-limits.ts';
import type { TableWriter } from '../../tables/table-writer.ts';
import { fileContent, jsonAnswer, pathParameter } from '../../../api/declaration.ts';
import { endpoint } from '../../../api/endpoint.ts';
import { listContent } from '../list-content.ts';

/** Services that the endpoints need. */
export interface TableParts {
  tables: Pick<TableStore, 'findTable' | 'listTables'>;
  tableWriter: TableWriter;
}

export const TableResponse = Type.Object(
  {
    name: Type.String({ pattern: tableNamePattern }),
    key: Type.String({ description: 'the column that has the keys' }),
    columns: Type.Array(Type.String(), { maxItems: tableLimits.columnsMax }),
    rows: Type.Integer({ minimum: 0 }),
    bytes: Type.Integer({ minimum: 0, description: 'stored bytes' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'TableResponse' },
);

const TableListResponse = Type.Object(
  { tables: Type.Array(TableResponse, { maxItems: tablesMax, description: 'by name' }) },
  { $id: 'TableListResponse' },
);

export const tableExample = {
  name: 'members',
  key: 'id',
  columns: ['id', 'name', 'points'],
  rows: 1_000_000,
  bytes: 96_000_000,
  updated_at: '2026-01-31T09:00:00.000Z',
};

export const tableShared = { tag: 'Tables', errorShape: 'organization' } as const;

export const tablePath = { name: pathParameter('Name of the table.', 'members', tableNamePattern) };

export const noSuchTable = 'No such table in the organization.';

const putTable = endpoint(
  {
    ...tableShared,
    id: 'putTable',
    route: 'table',
    method: 'put',
    path: '/v1/tables/{name}',
    summary: 'Upload a data table',
    description: `Creates a table from a list, or replaces all its rows: renders see the old rows until this answers, and then the new ones. The list is CSV, tab-separated values, JSON, JSON lines, XLSX, ODS or vCard, with the names of the columns first, at most ${(tableLimits.uploadBytesMax / 1024 / 1024).toString()} MiB and ${tableLimits.rowsMax.toLocaleString('en')} rows. A list with a row that cannot be stored changes nothing, nor does one without rows where the table has some.`,
    scope: 'write',
    pathParameters: tablePath,
    query: {
      key: {
        description:
          'The column that has the keys, each once. It may be left out when the table exists.',
        schema: { type: 'string' },
        example: 'id',
      },
      sheet: {
        description:
          'Name of a sheet of an XLSX or ODS. It may be left out when one sheet alone has rows.',
        schema: { type: 'string' },
      },
    },
    body: {
      description: 'The list.',
      required: true,
      content: { ...fileContent('text/csv'), ...listContent },
    },
    bodyBytesMax: tableLimits.uploadBytesMax,
    answers: {
      200: jsonAnswer('The rows are replaced.', TableResponse, tableExample),
      201: jsonAnswer('The table is created.', TableResponse, tableExample),
    },
    errors: {
      400: 'The list cannot be read, or rows cannot be stored: `details` has lines and causes.',
      404: 'No table can have this name.',
      409: `The organization has ${tablesMax} tables.`,
      413: 'The list is too large, or the organization’s space is full.',
      503: 'Too many tables are being uploaded; `Retry-After` says when to come back.',
    },
    clientCall:
      "await platen.request('PUT /v1/tables/{name}', { path: { name: 'members' }, query: { key: 'id' }, bytes: csv })",
  },
  ({ tables, tableWriter }: TableParts) =>
    async (exchange, { holder, readQuery }) => {
      const name = parseTableName(exchange);
      const { key, sheet } = readQuery();
      const { contentType } = exchange;
      const upload = {
        key: key === '' ? undefined : key,
        sheet: sheet === '' ? undefined : sheet,
        contentType,
        saveBody: (path: string) => exchange.saveBody(path),
      };
      const isNew = await tableWriter.replace(holder.uid, name, upload);
      return jsonReply(isNew ? 201 : 200, requireTable(tables, holder.uid, name));
    },
);

const listTables = endpoint(
  {
    ...tableShared,
    id: 'listTables',
    route: 'tables',
    method: 'get',
    path: '/v1/tables',
    summary: 'List data tables',
    description: 'All tables of the organization. No answer has a row.',
    scope: 'read',
    answers: { 200: jsonAnswer('The tables.', TableListResponse, { tables: [tableExample] }) },
    clientCall: "const { tables } = await platen.request('GET /v1/tables')",
  },
  ({ tables }: TableParts) =>
    (_, { holder }) =>
      jsonReply(200, { tables: tables.listTables(holder.uid) }),
);

const getTable = endpoint(
  {
    ...tableShared,
    id: 'getTable',
    route: 'table',
    method: 'get',
    path: '/v1/tables/{name}',
    summary: 'Get a data table',
    description: 'Columns and figures of a table, and none of its rows.',
    scope: 'read',
    pathParameters: tablePath,
    answers: { 200: jsonAnswer('The table.', TableResponse, tableExample) },
    errors: { 404: noSuchTable },
    clientCall:
      "const { rows } = await platen.request('GET /v1/tables/{name}', { path: { name: 'members' } })",
  },
  ({ tables }: TableParts) =>
    (exchange, { holder }) =>
      jsonReply(200, requireTable(tables, holder.uid, parseTableName(exchange))),
);

const deleteTable = endpoint(
  {
    ...tableShared,
    id: 'deleteTable',
    route: 'table',
    method: 'delete',
    path: '/v1/tables/{name}',
    summary: 'Delete a data table',
    description: 'Deletes a table with its rows: links draw the defaults from then on.',
    scope: 'write',
    pathParameters: tablePath,
    answers: { 204: { description: 'It is deleted.' } },
    errors: { 404: noSuchTable },
    clientCall: "await platen.request('DELETE /v1/tables/{name}', { path: { name: 'members' } })",
  },
  ({ tableWriter }: TableParts) =>
    async (exchange, { holder }) => {
      if (!(await tableWriter.deleteTable(holder.uid, parseTableName(exchange)))) throw noTable();
      return emptyReply(204);
    },
);

export const tableEndpoints = [putTable, listTables, getTable, deleteTable];

const namePattern = new RegExp(tableNamePattern);

/** Parses the name in a path. Throws NOT_FOUND for a text that cannot be a name. */
export function parseTableName({ parameter }: Exchange): string {
  if (namePattern.test(parameter)) return parameter;
  throw new AppError(
    'NOT_FOUND',
    'Table not found: a name has 1 to 64 of a-z, 0-9, - and _, and begins with a letter or a digit',
    { reason: 'table' },
  );
}

export function requireTable(
  tables: TableParts['tables'],
  organizationUid: string,
  name: string,
): object {
  const table = tables.findTable(organizationUid, name);
  if (table === undefined) throw noTable();
  return table;
}

export function noTable(): AppError {
  return new AppError('NOT_FOUND', 'Table not found', { reason: 'table' });
}
