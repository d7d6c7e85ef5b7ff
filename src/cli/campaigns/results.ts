/** What a campaign has made: its rows with problems, and its files. */
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

/** A row as the service shows it. */
export interface FaultyRow {
  row: number;
  line: number;
  problems: { code: string; variable: string | null; message: string }[];
}

type FileEndpoint = Parameters<RunningService['client']['requestFile']>[0];

/** Characters of a message in the table. */
const messageCharactersMax = 100;

/** The first rows with problems. */
export async function readFaultyRows(
  { client }: RunningService,
  { id }: Campaign,
  limit: number,
): Promise<FaultyRow[]> {
  const rows: FaultyRow[] = [];
  await convertErrors(async () => {
    const { body } = await client.requestFile('GET /v1/campaigns/{id}/rows', {
      path: { id },
      query: { limit },
    });
    for await (const line of linesOf(body)) rows.push(JSON.parse(line) as FaultyRow);
  });
  return rows;
}

/** A line for each problem. */
export function tableOfRows(rows: readonly FaultyRow[]): string {
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

/** What a run of files makes. */
export type FilesKind = 'zip' | 'pdf' | 'pdfs';

/** Saves what a finished run has made. `out` is a file or a folder, absolute. */
export async function saveResults(
  service: RunningService,
  campaign: Campaign,
  out: string,
  kind: FilesKind,
): Promise<void> {
  if (campaign.mode === 'links') {
    await save(service, campaign, 'GET /v1/campaigns/{id}/links.csv', out);
  } else if (campaign.mode === 'files') {
    await saveFiles(service, campaign, out, kind);
  } else if (campaign.mode === 'proof') {
    await saveReport(service, campaign, out);
  }
}

/** The path of the results without `--out`; undefined for runs whose results are shown. */
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

/** The contact sheet as a PNG, the rows with problems as JSON lines, or both in a folder. */
async function saveReport(service: RunningService, campaign: Campaign, out: string): Promise<void> {
  const extension = extname(out).toLowerCase();
  const [sheet, rows] = [
    'GET /v1/campaigns/{id}/sheet.png',
    'GET /v1/campaigns/{id}/rows',
  ] as const;
  if (extension === '.png') return save(service, campaign, sheet, out);
  if (/^\.(jsonl|ndjson|json)$/.test(extension)) return save(service, campaign, rows, out);
  await save(service, campaign, rows, join(out, 'rows.jsonl'));
  // There is none if no row can be drawn.
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

/** Writes under another name first: a broken connection leaves no half of a file. */
async function save(
  { client }: RunningService,
  { id }: Campaign,
  endpoint: FileEndpoint,
  path: string,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    await convertErrors(async () => {
      const { body } = await client.requestFile(endpoint as 'GET /v1/campaigns/{id}/links.csv', {
        path: { id },
      });
      await pipeline(Readable.from(body ?? []), createWriteStream(draft));
    });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
