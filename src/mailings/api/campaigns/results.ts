/** `GET /v1/campaigns/{id}/rows`: the rows in which the last proof found problems. */
import type { Campaigns } from '../../campaigns/campaigns.ts';
import { campaignPaths } from '../../campaigns/list/import-list.ts';
import { noStore } from '../../../http/reply.ts';
import { openForOneTurn, openForTurns } from '../../store/campaigns/read-list.ts';
import type { CampaignList } from '../../store/campaigns/campaign-list.ts';
import type { ProblemFilter, ProblemRow } from '../../store/campaigns/problem-rows.ts';
import type { CampaignStore } from '../../store/campaigns/campaign-store.ts';
import type { Campaign } from '../../store/campaigns/campaign-records.ts';
import type { ListFacts } from '../../campaigns/campaign.ts';
import { fileContent } from '../../../api/declaration.ts';
import { endpoint } from '../../../api/endpoint.ts';
import { badBody } from '../../../api/request/input.ts';
import { requireCampaign } from './request.ts';
import { filterQuery, readFilter } from './row-filter.ts';
import { cacheKib, chunkBytes, rowsLimits, rowSlots, rowsOfRead } from './row-streams.ts';
import { idParameter } from './schemas.ts';

/** Services that endpoints for results need. */
export interface ResultParts {
  campaigns: Campaigns;
  campaignStore: CampaignStore;
}

export const getRows = endpoint(
  {
    id: 'getCampaignRows',
    route: 'campaigns',
    method: 'get',
    path: '/v1/campaigns/{id}/rows',
    tag: 'Campaigns',
    summary: 'List the rows with problems',
    description:
      'The rows in which the last proof found problems, as JSON lines: `{"row", "line", "needs_you", "problems": [{"code", "variable", "message"}], "cells"}`. First come the rows that need a person, then those that only fall back to a default. Each part has the order of the list.',
    scope: 'render',
    pathParameters: { id: idParameter },
    query: {
      ...filterQuery,
      after: {
        description:
          'The `row` of the last line of the page before; with `needs_you` any number. 0 is the start.',
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
      400: 'A filter is unknown, or `after` is no row with a problem: a new proof may have begun.',
      404: 'No such campaign in the organization.',
      503: `The organization reads ${rowsLimits.organizationMax} lists of rows; \`Retry-After\` says when to come back.`,
    },
    clientCall:
      "const lines = await platen.requestFile('GET /v1/campaigns/{id}/rows', { path: { id: 'cmp_7Qm3vX0aLr2TzK9cBw5e' } })",
    errorShape: 'organization',
  },
  (parts: ResultParts) =>
    async (exchange, { holder, readQuery }) => {
      const campaign = requireCampaign(parts, exchange, holder);
      const { after, limit, ...given } = readQuery();
      const filter = readFilter(parts, campaign, given);
      await parts.campaigns.load(campaign.id);
      const { list } = pathsOf(parts, campaign);
      const start = findStart(list, after, filter);
      return {
        status: 200,
        headers: streamHeaders('application/x-ndjson'),
        stream: {
          chunks: rowSlots.stream(holder.uid, () =>
            rowLines(list, campaign, { filter, start, limit }),
          ),
        },
      };
    },
);

/** The position behind the row `after`: the row says in which part it is. Throws BAD_REQUEST if it has no problem. */
function findStart(path: string, after: number, { needsYou }: ProblemFilter): Cursor {
  const list = openForOneTurn(path);
  try {
    if (after === 0) return undefined;
    const need = needsYou ?? list.problems.needOf(after);
    if (need !== undefined) return { row: after, needsYou: need };
  } finally {
    list.close();
  }
  const message = `is ${after}, which is no row with a problem: expected 0, or the row of the last line; a new proof may have begun`;
  throw badBody([{ path: 'after', message }], 'query');
}

/** The last row that was read; undefined at the start. */
type Cursor = ProblemRow | undefined;

/** Opens the list at the first read: a HEAD reads nothing. */
async function* rowLines(
  path: string,
  { listJson }: Campaign,
  { filter, start, limit }: { filter: ProblemFilter; start: Cursor; limit: number },
): AsyncGenerator<Uint8Array> {
  const { columns } = JSON.parse(listJson) as ListFacts;
  const list = openForTurns(path, cacheKib);
  try {
    let [last, left] = [start, limit];
    while (left > 0) {
      const wanted = { after: last, rowsMax: Math.min(rowsOfRead, left), filter };
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
  { after, rowsMax, filter }: { after: Cursor; rowsMax: number; filter: ProblemFilter },
): { lines: string; rows: number; last: Cursor } {
  const chunk = { lines: '', rows: 0, last: after };
  for (const found of list.problems.byNeed(after, rowsMax, filter)) {
    chunk.lines += rowLine(list, found, filter, columns);
    chunk.rows += 1;
    chunk.last = found;
    if (chunk.lines.length >= chunkBytes) break;
  }
  return chunk;
}

function rowLine(
  list: CampaignList,
  { row, needsYou }: ProblemRow,
  { code: wanted, variables }: ProblemFilter,
  columns: readonly string[],
): string {
  const { line, cellsJson } = list.find(row) ?? { line: 0, cellsJson: null };
  const cells = JSON.parse(cellsJson ?? '[]') as string[];
  const problems = list.problems.of(row).flatMap(({ code, variable, message }) => {
    const isWanted =
      (wanted === undefined || wanted === code) &&
      (variables === undefined || variables.includes(variable ?? ''));
    return isWanted ? [{ code, variable, message }] : [];
  });
  const named = Object.fromEntries(cells.map((cell, index) => [columns[index] ?? '', cell]));
  return `${JSON.stringify({ row, line, needs_you: needsYou, problems, cells: named })}\n`;
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
