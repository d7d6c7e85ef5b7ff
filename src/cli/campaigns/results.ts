/** Reads and saves the results of a campaign: its rows with problems, and its files. */
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join, parse } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Campaign } from '../../client/platen-client.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { convertErrors } from '../service-client.ts';
import { table } from '../terminal.ts';
import type { RunningService } from '../running-service.ts';
import { unpack } from './unpack.ts';
import { linesOf } from './watch.ts';

/** A row with problems, as the service returns it. */
export interface FaultyRow {
  row: number;
  line: number;
  needs_you: boolean;
  problems: { code: string; variable: string | null; message: string }[];
}

/** Which rows of a proof are shown and saved. */
export interface RowFilter {
  problem?: string | undefined;
  column?: string | undefined;
  needs_you?: boolean | undefined;
}

type FileEndpoint = Parameters<RunningService['client']['requestFile']>[0];

/** Maximum characters of a message in the table. */
const messageCharactersMax = 100;

/** Reads the first rows with problems: those that need a person come first. */
export async function readFaultyRows(
  { client }: RunningService,
  { id }: Campaign,
  limit: number,
  filter: RowFilter,
): Promise<FaultyRow[]> {
  const rows: FaultyRow[] = [];
  await convertErrors(async () => {
    const { body } = await client.requestFile('GET /v1/campaigns/{id}/rows', {
      path: { id },
      query: { limit, ...given(filter) },
    });
    for await (const line of linesOf(body)) rows.push(JSON.parse(line) as FaultyRow);
  });
  return rows;
}

/** The parts of a filter that are set. */
function given(filter: RowFilter): Record<string, string | boolean> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** Tables with a line for each problem: of the rows that need a person, then of the others. */
export function tablesOfRows(rows: readonly FaultyRow[]): string {
  const parts = [
    ['need you', rows.filter((each) => each.needs_you)],
    ['fall back to a default', rows.filter((each) => !each.needs_you)],
  ] as const;
  return parts
    .filter(([, part]) => part.length > 0)
    .map(([title, part]) => `${title}:\n${tableOfRows(part)}`)
    .join('\n\n');
}

function tableOfRows(rows: readonly FaultyRow[]): string {
  const lines = rows.flatMap(({ row, line, problems }) =>
    problems.map(({ code, variable, message }) => [
      String(row),
      String(line),
      code,
      variable ?? '',
      message.length > messageCharactersMax
        ? `${message.slice(0, messageCharactersMax - 1)}…`
        : message,
    ]),
  );
  return table(['row', 'line', 'problem', 'variable', 'message'], lines);
}

/** The output of a run in the mode `files`. */
export type FilesKind = 'zip' | 'pdf' | 'pdfs';

/** Saves the results of a finished run. `out` is the absolute path of a file or folder. */
export async function saveResults(
  service: RunningService,
  campaign: Campaign,
  out: string,
  { kind, filter }: { kind: FilesKind; filter: RowFilter },
): Promise<void> {
  if (campaign.mode === 'links') {
    await save(service, campaign, 'GET /v1/campaigns/{id}/links.csv', out);
  } else if (campaign.mode === 'files') {
    await saveFiles(service, campaign, out, kind);
  } else if (campaign.mode === 'proof') {
    await saveReport(service, campaign, out, filter);
  }
}

/** The default of `--out`; undefined for runs whose results are only shown. */
export function defaultOut(
  mode: Campaign['mode'],
  listPath: string,
  kind: FilesKind,
): string | undefined {
  const { name } = parse(basename(listPath));
  if (mode === 'links') return `${name}-links.csv`;
  if (mode === 'files') return kind === 'pdf' ? `${name}.pdf` : `${name}-files`;
  return undefined;
}

/** Saves the contact sheet as a PNG, the rows with problems as JSON lines or as a list, or all of them in a folder. */
async function saveReport(
  service: RunningService,
  campaign: Campaign,
  out: string,
  filter: RowFilter,
): Promise<void> {
  const extension = extname(out).toLowerCase();
  const [sheet, rows, list] = [
    'GET /v1/campaigns/{id}/sheet.png',
    'GET /v1/campaigns/{id}/rows',
    'GET /v1/campaigns/{id}/problems.csv',
  ] as const;
  if (extension === '.png') return save(service, campaign, sheet, out);
  if (extension === '.csv') return save(service, campaign, list, out, filter);
  if (/^\.(jsonl|ndjson|json)$/.test(extension)) return save(service, campaign, rows, out, filter);
  await save(service, campaign, rows, join(out, 'rows.jsonl'), filter);
  await save(service, campaign, list, join(out, 'problems.csv'), filter);
  // Without a row that can be drawn, there is no contact sheet.
  await save(service, campaign, sheet, join(out, 'sheet.png')).catch((error: unknown) => {
    if (!(error instanceof CommandError) || error.exitCode !== exitCodes.problems) throw error;
  });
}

async function saveFiles(
  service: RunningService,
  campaign: Campaign,
  out: string,
  kind: FilesKind,
): Promise<void> {
  if (kind === 'pdf') return save(service, campaign, 'GET /v1/campaigns/{id}/files.pdf', out);
  if (extname(out).toLowerCase() === '.zip') {
    return save(service, campaign, 'GET /v1/campaigns/{id}/files.zip', out);
  }
  const draft = join(dirname(out), `.${basename(out)}.${process.pid}.zip`);
  try {
    await save(service, campaign, 'GET /v1/campaigns/{id}/files.zip', draft);
    await unpack(draft, out);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Saves an answer under a temporary name first, so that a broken connection leaves no partial file. */
async function save(
  { client }: RunningService,
  { id }: Campaign,
  endpoint: FileEndpoint,
  path: string,
  filter: RowFilter = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    await convertErrors(async () => {
      const { body } = await client.requestFile(endpoint as 'GET /v1/campaigns/{id}/rows', {
        path: { id },
        query: given(filter),
      });
      await pipeline(Readable.from(body ?? []), createWriteStream(draft));
    });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
