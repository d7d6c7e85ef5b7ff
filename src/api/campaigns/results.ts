/** Results of campaigns: rows with problems, progress, and files. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Campaigns } from '../../campaigns/campaigns.ts';
import { campaignPaths } from '../../campaigns/list/import-list.ts';
import { filesOf } from '../../campaigns/shared/shared-files.ts';
import { resultPaths } from '../../campaigns/results/files/result-file.ts';
import { AppError } from '../../foundation/errors.ts';
import { noStore } from '../../http/reply.ts';
import type { Reply } from '../../http/reply.ts';
import { openCampaignList } from '../../store/campaigns/campaign-list.ts';
import type { CampaignList, RowProblem } from '../../store/campaigns/campaign-list.ts';
import type { CampaignStore } from '../../store/campaigns/campaign-store.ts';
import type { Campaign, CampaignRun } from '../../store/campaigns/campaign-records.ts';
import { problemCodes } from '../../campaigns/campaign.ts';
import type { ListFacts } from '../../campaigns/campaign.ts';
import { fileContent } from '../declaration.ts';
import { endpoint } from '../endpoint.ts';
import { badBody } from '../request/input.ts';
import { requireCampaign } from './request.ts';
import { idParameter, problemSchema } from './schemas.ts';

/** What these endpoints need. */
export interface ResultParts {
  campaigns: Campaigns;
  campaignStore: CampaignStore;
}

/** Rows whose problems are read at a time. */
const rowsOfRead = 200;

/** Bytes from which rows are sent. A row has up to 800 KB, and renders continue between two chunks. */
const chunkBytes = 64 * 1024;

const getRows = endpoint(
  {
    id: 'getCampaignRows',
    route: 'campaigns',
    method: 'get',
    path: '/v1/campaigns/{id}/rows',
    tag: 'Campaigns',
    summary: 'List the rows with problems',
    description:
      'The rows in which the last proof found problems, in order, as JSON lines: `{"row", "line", "problems": [{"code", "variable", "message"}], "cells"}`.',
    scope: 'render',
    pathParameters: { id: idParameter },
    query: {
      problem: { description: 'Only rows with this problem.', schema: problemSchema },
      after: {
        description: 'Only rows after this one.',
        schema: { type: 'integer', minimum: 0, default: 0 },
      },
      limit: {
        description: 'Rows at most; default: all.',
        schema: { type: 'integer', minimum: 1, default: 1_000_000 },
      },
    },
    answers: {
      200: { description: 'JSON lines.', content: fileContent('application/x-ndjson') },
    },
    errors: { 404: 'No such campaign in the organization.' },
    clientCall:
      "const lines = await platen.requestFile('GET /v1/campaigns/{id}/rows', { path: { id: 'cmp_7Qm3vX0aLr2TzK9cBw5e' } })",
    errorShape: 'organization',
  },
  (parts: ResultParts) =>
    async (exchange, { holder, readQuery }) => {
      const campaign = requireCampaign(parts, exchange, holder);
      const { problem, after, limit } = readQuery();
      if (problem !== undefined && !isProblemCode(problem)) {
        const message = `is "${problem.slice(0, 40)}", expected one of ${problemCodes.join(', ')}`;
        throw badBody([{ path: 'problem', message }], 'query');
      }
      await parts.campaigns.load(campaign.id);
      const { list } = pathsOf(parts, campaign);
      openCampaignList(list).close();
      return {
        status: 200,
        headers: streamHeaders('application/x-ndjson'),
        stream: {
          chunks: rowLines(list, campaign, { problem, after, limit }),
        },
      };
    },
);

function isProblemCode(text: string): boolean {
  return problemCodes.some((code) => code === text);
}

/** Opens the list when the first line is asked for: a HEAD asks for none. */
async function* rowLines(
  path: string,
  { listJson }: Campaign,
  { problem, after, limit }: { problem: string | undefined; after: number; limit: number },
): AsyncGenerator<Uint8Array> {
  const { columns } = JSON.parse(listJson) as ListFacts;
  const list = openCampaignList(path);
  try {
    let [last, left] = [after, limit];
    while (left > 0) {
      const found = Map.groupBy(
        list.problemsAfter(last, Math.min(rowsOfRead, left), problem),
        ({ row }) => row,
      );
      if (found.size === 0) return;
      let lines = '';
      for (const [row, problems] of found) {
        lines += rowLine(list, row, problems, columns);
        last = row;
        if (lines.length < chunkBytes) continue;
        yield Buffer.from(lines);
        lines = '';
        // oxlint-disable-next-line no-await-in-loop -- requests are answered between two chunks
        await new Promise((resolve) => setImmediate(resolve));
      }
      yield Buffer.from(lines);
      left -= found.size;
    }
  } finally {
    list.close();
  }
}

function rowLine(
  list: CampaignList,
  row: number,
  problems: readonly RowProblem[],
  columns: readonly string[],
): string {
  const { line, cellsJson } = list.find(row) ?? { line: 0, cellsJson: null };
  const cells = JSON.parse(cellsJson ?? '[]') as string[];
  const shown = problems.map(({ code, variable, message }) => ({ code, variable, message }));
  const named = Object.fromEntries(cells.map((cell, index) => [columns[index] ?? '', cell]));
  return `${JSON.stringify({ row, line, problems: shown, cells: named })}\n`;
}

/** A file that a run has made. */
function resultFile(
  file: 'sheet.png' | 'links.csv' | 'files.zip' | 'files.pdf',
  { id, mode, type }: { id: string; mode: 'proof' | 'links' | 'files'; type: string },
  summary: string,
  description: string,
) {
  return endpoint(
    {
      id,
      route: 'campaigns',
      method: 'get',
      path: `/v1/campaigns/{id}/${file}`,
      tag: 'Campaigns',
      summary,
      description,
      scope: 'render',
      pathParameters: { id: idParameter },
      answers: { 200: { description: 'The file.', content: fileContent(type) } },
      errors: {
        404: 'No such campaign in the organization, or no finished run that made the file.',
      },
      clientCall: `const file = await platen.requestFile('GET /v1/campaigns/{id}/${file}', { path: { id: 'cmp_7Qm3vX0aLr2TzK9cBw5e' } })`,
      errorShape: 'organization',
    },
    (parts: ResultParts) =>
      async (exchange, { holder }) => {
        const campaign = requireCampaign(parts, exchange, holder);
        const { sheet, links, files } = pathsOf(parts, campaign);
        const { zip, pdf } = resultPaths(files);
        const path = { 'sheet.png': sheet, 'links.csv': links, 'files.zip': zip, 'files.pdf': pdf }[
          file
        ];
        return fileReply(parts, campaign, mode, path, { file, type });
      },
  );
}

async function fileReply(
  { campaigns, campaignStore }: ResultParts,
  { id }: Campaign,
  mode: 'proof' | 'links' | 'files',
  path: string,
  { file, type }: { file: string; type: string },
): Promise<Reply> {
  const run = campaignStore.findRun(id, mode);
  const isFinished = run?.state === 'finished';
  const result = isFinished ? await findResult(campaigns, run, path, file) : undefined;
  if (result === undefined) {
    const message = `The campaign has no finished run of "${mode}" that made ${file}: start one, and wait for it`;
    throw new AppError('NOT_FOUND', message, { reason: 'campaign' });
  }
  const headers = [
    ...streamHeaders(type),
    'Content-Disposition',
    `attachment; filename="${id}-${file}"`,
  ];
  return { status: 200, headers, stream: result };
}

/** What a finished run has made: in the shared database, or in a file. */
async function findResult(
  campaigns: Campaigns,
  run: CampaignRun,
  path: string,
  name: string,
): Promise<{ bytes: number; chunks: AsyncGenerator<Uint8Array> } | undefined> {
  if (!campaigns.isShared) {
    const facts = await stat(path).catch(() => undefined);
    return facts && { bytes: facts.size, chunks: readChunks(path) };
  }
  const file = filesOf(run)[name];
  if (file === undefined) return undefined;
  // A database that is away is an error of the answer, not of its stream.
  const first = await campaigns.readPart(file.id, 0);
  return { bytes: file.bytes, chunks: readParts(campaigns, file, first) };
}

async function* readParts(
  campaigns: Campaigns,
  { id, bytes }: { id: string; bytes: number },
  first: Uint8Array | undefined,
): AsyncGenerator<Uint8Array> {
  let part = first;
  let sent = 0;
  for (let next = 1; part !== undefined; next += 1) {
    yield part;
    sent += part.byteLength;
    // oxlint-disable-next-line no-await-in-loop -- part after part
    part = await campaigns.readPart(id, next);
  }
  if (sent < bytes) throw new Error(`The shared database has a part of the file ${id} alone.`);
}

/** Opens the file when its first chunk is asked for: a HEAD asks for none. */
async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}

export const resultEndpoints = [
  getRows,
  resultFile(
    'sheet.png',
    { id: 'getCampaignSheet', mode: 'proof', type: 'image/png' },
    'Get the contact sheet of a proof',
    'The worst rows and the extremes of the list as one image: examples of each problem, the longest and the shortest texts, and one row of each script.',
  ),
  resultFile(
    'links.csv',
    { id: 'getCampaignLinks', mode: 'links', type: 'text/csv' },
    'Get the list with its links',
    'The list as it was sent, with the columns `platen_url` and `platen_alt`.',
  ),
  resultFile(
    'files.zip',
    { id: 'getCampaignFiles', mode: 'files', type: 'application/zip' },
    'Get the files of a list',
    'A ZIP with an image or a PDF for each row, by the `output` of the run, and `problems.csv` with the rows that could not be drawn as they should.',
  ),
  resultFile(
    'files.pdf',
    { id: 'getCampaignPdf', mode: 'files', type: 'application/pdf' },
    'Get the PDF of a list',
    'One PDF with a page for each row, of a run with the `output` `pdf`.',
  ),
];

function pathsOf(
  { campaigns }: Pick<ResultParts, 'campaigns'>,
  { id }: Campaign,
): ReturnType<typeof campaignPaths> {
  return campaignPaths(campaigns.folder, id);
}

/** Headers of a stream that no cache keeps. */
export function streamHeaders(type: string): string[] {
  return ['Content-Type', type, 'Cache-Control', noStore, 'X-Content-Type-Options', 'nosniff'];
}
