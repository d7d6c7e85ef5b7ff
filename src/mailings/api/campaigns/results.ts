/** `GET /v1/campaigns/{id}/rows`: the rows in which the last proof found problems. */
import type { Campaigns } from '../../campaigns/campaigns.ts';
import { campaignPaths } from '../../campaigns/list/import-list.ts';
import { OrganizationSlots } from '../../../foundation/organization-slots.ts';
import type { SlotLimits } from '../../../foundation/organization-slots.ts';
import { noStore } from '../../../http/reply.ts';
import { openForOneTurn, openForTurns } from '../../store/campaigns/read-list.ts';
import type { CampaignList, RowProblem } from '../../store/campaigns/campaign-list.ts';
import type { CampaignStore } from '../../store/campaigns/campaign-store.ts';
import type { Campaign } from '../../store/campaigns/campaign-records.ts';
import { problemCodes } from '../../campaigns/campaign.ts';
import type { ListFacts } from '../../campaigns/campaign.ts';
import { fileContent } from '../../../api/declaration.ts';
import { endpoint } from '../../../api/endpoint.ts';
import { badBody } from '../../../api/request/input.ts';
import { requireCampaign } from './request.ts';
import { idParameter, problemSchema } from './schemas.ts';

/** Services that endpoints for results need. */
export interface ResultParts {
  campaigns: Campaigns;
  campaignStore: CampaignStore;
}

/** Rows whose problems are read at a time. A stalled client keeps them in memory. */
const rowsOfRead = 50;

/** Cache of one open list in KiB. It is small, because rows are read once and in order. */
const cacheKib = 128;

/** A stalled client holds an open list and one chunk, which can exceed 800 KB. */
const rowsLimits: SlotLimits = {
  what: 'lists of rows are being sent',
  organizationMax: 4,
  countMax: 16,
  reason: 'rows',
};

/** Size from which a chunk is sent. A row has up to 800 KB, and renders continue between two chunks. */
const chunkBytes = 64 * 1024;

export const getRows = endpoint(
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
    errors: {
      404: 'No such campaign in the organization.',
      503: `The organization reads ${rowsLimits.organizationMax} lists of rows; \`Retry-After\` says when to come back.`,
    },
    clientCall:
      "const lines = await platen.requestFile('GET /v1/campaigns/{id}/rows', { path: { id: 'cmp_7Qm3vX0aLr2TzK9cBw5e' } })",
    errorShape: 'organization',
  },
  (parts: ResultParts) => {
    const slots = new OrganizationSlots(rowsLimits);
    return async (exchange, { holder, readQuery }) => {
      const campaign = requireCampaign(parts, exchange, holder);
      const { problem, after, limit } = readQuery();
      if (problem !== undefined && !isProblemCode(problem)) {
        const message = `is "${problem.slice(0, 40)}", expected one of ${problemCodes.join(', ')}`;
        throw badBody([{ path: 'problem', message }], 'query');
      }
      await parts.campaigns.load(campaign.id);
      const { list } = pathsOf(parts, campaign);
      openForOneTurn(list).close();
      return {
        status: 200,
        headers: streamHeaders('application/x-ndjson'),
        stream: {
          chunks: slots.stream(holder.uid, () =>
            rowLines(list, campaign, { problem, after, limit }),
          ),
        },
      };
    };
  },
);

function isProblemCode(text: string): boolean {
  return problemCodes.some((code) => code === text);
}

/** Opens the list at the first read: a HEAD reads nothing. */
async function* rowLines(
  path: string,
  { listJson }: Campaign,
  { problem, after, limit }: { problem: string | undefined; after: number; limit: number },
): AsyncGenerator<Uint8Array> {
  const { columns } = JSON.parse(listJson) as ListFacts;
  const list = openForTurns(path, cacheKib);
  try {
    let [last, left] = [after, limit];
    while (left > 0) {
      const wanted = { after: last, rowsMax: Math.min(rowsOfRead, left), problem };
      const chunk = list.read((each) => readChunk(each, columns, wanted));
      if (chunk.rows === 0) return;
      yield Buffer.from(chunk.lines);
      last = chunk.last;
      left -= chunk.rows;
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    list.close();
  }
}

/** The lines of up to `rowsMax` rows, which end with `chunkBytes`. */
function readChunk(
  list: CampaignList,
  columns: readonly string[],
  { after, rowsMax, problem }: { after: number; rowsMax: number; problem: string | undefined },
): { lines: string; rows: number; last: number } {
  const found = Map.groupBy(list.problemsAfter(after, rowsMax, problem), ({ row }) => row);
  const chunk = { lines: '', rows: 0, last: after };
  for (const [row, problems] of found) {
    chunk.lines += rowLine(list, row, problems, columns);
    chunk.rows += 1;
    chunk.last = row;
    if (chunk.lines.length >= chunkBytes) break;
  }
  return chunk;
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

/** Paths of a campaign's files on the disk of this node. */
export function pathsOf(
  { campaigns }: Pick<ResultParts, 'campaigns'>,
  { id }: Campaign,
): ReturnType<typeof campaignPaths> {
  return campaignPaths(campaigns.folder, id);
}

/** Headers of a stream that no cache keeps. */
export function streamHeaders(type: string): string[] {
  return ['Content-Type', type, 'Cache-Control', noStore, 'X-Content-Type-Options', 'nosniff'];
}
