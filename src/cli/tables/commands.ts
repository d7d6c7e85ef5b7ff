/** `platen tables put`, `get`, `list` and `delete`. */
import { resolve } from 'node:path';
import type { PlatenClient } from '../../client/platen-client.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { openRunningService, requireList, sendList } from '../running-service.ts';
import type { ServiceOptions } from '../running-service.ts';
import { convertErrors } from '../service-client.ts';
import { counted, table } from '../terminal.ts';
import type { Invocation, Terminal } from '../terminal.ts';

type Table = Awaited<ReturnType<typeof findTable>>;

/** Options of `platen tables put`. */
export interface TableOptions {
  key?: string;
  sheet?: string;
}

/** Uploads a list. Links draw the new rows after the upload. JSON: the table as `PUT /v1/tables/{name}` answers it. */
export async function putTable(
  name: string,
  list: string,
  { key, sheet, ...options }: ServiceOptions & TableOptions,
  { terminal, startDirectory }: Invocation,
): Promise<ExitCode> {
  const path = resolve(startDirectory, list);
  await requireList(path, list);
  const { client } = await openRunningService(options);
  const query = { ...(key !== undefined && { key }), ...(sheet !== undefined && { sheet }) };
  const stored = await sendList(path, (content) =>
    client.request('PUT /v1/tables/{name}', { path: { name }, query, ...content }),
  );
  terminal.result(stored, describe(stored));
  return exitCodes.ok;
}

/** Shows a table without its rows. JSON: the table as `GET /v1/tables/{name}` answers it. */
export async function getTable(
  name: string,
  options: ServiceOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { client } = await openRunningService(options);
  const found = await convertErrors(() => findTable(client, name));
  terminal.result(found, describe(found));
  return exitCodes.ok;
}

/** Lists the tables. JSON: `{"tables":[{"name","key","columns","rows","bytes","updated_at"}]}`. */
export async function listTables(options: ServiceOptions, terminal: Terminal): Promise<ExitCode> {
  const { client } = await openRunningService(options);
  const { tables } = await convertErrors(() => client.request('GET /v1/tables'));
  const rows = tables.map(({ name, key, rows: count, updated_at }) => [
    name,
    key,
    String(count),
    updated_at,
  ]);
  terminal.result({ tables }, table(['name', 'key', 'rows', 'changed'], rows));
  return exitCodes.ok;
}

/** Deletes tables in the order of the arguments. JSON: `{"deleted":["name"]}`. */
export async function deleteTables(
  names: readonly string[],
  options: ServiceOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { client } = await openRunningService(options);
  for (const name of names) {
    await convertErrors(() => client.request('DELETE /v1/tables/{name}', { path: { name } }));
    terminal.note(`${name}  deleted`);
  }
  terminal.result({ deleted: names }, '');
  return exitCodes.ok;
}

function findTable(client: PlatenClient, name: string) {
  return client.request('GET /v1/tables/{name}', { path: { name } });
}

function describe({ name, key, columns, rows }: Table): string {
  return `${name}: ${counted(rows, 'row')} by "${key}", with ${columns.join(', ')}`;
}
