/** `GET /v1/campaigns/{id}/problems.csv`: the list with a column for each problem, to be corrected and sent again. */
import { AppError } from '../../../foundation/errors.ts';
import { fileContent } from '../../../api/declaration.ts';
import { endpoint } from '../../../api/endpoint.ts';
import type { ListFacts } from '../../campaigns/campaign.ts';
import { dialectOf } from '../../campaigns/results/link-file.ts';
import { formatCsvRow } from '../../lists/csv/write-csv.ts';
import type { CsvDialect } from '../../lists/list.ts';
import { problemColumn, protectCell, rowColumn } from '../../lists/problem-columns.ts';
import type { CampaignList } from '../../store/campaigns/campaign-list.ts';
import type { CampaignRun } from '../../store/campaigns/campaign-records.ts';
import type { ProblemFilter } from '../../store/campaigns/problem-rows.ts';
import { openForOneTurn, openForTurns } from '../../store/campaigns/read-list.ts';
import { requireCampaign } from './request.ts';
import { pathsOf, streamHeaders } from './results.ts';
import type { ResultParts } from './results.ts';
import { filterQuery, readFilter } from './row-filter.ts';
import { cacheKib, chunkBytes, rowsLimits, rowSlots, rowsOfRead } from './row-streams.ts';
import { idParameter } from './schemas.ts';

/** What the file has. */
interface Wanted {
  filter: ProblemFilter;
  /** Whether it has all rows of the list, also those without a problem. */
  all: boolean;
  columns: readonly string[];
  dialect: CsvDialect;
  /** The proof that found the problems. */
  run: CampaignRun;
}

export const getProblems = endpoint(
  {
    id: 'getCampaignProblems',
    route: 'campaigns',
    method: 'get',
    path: '/v1/campaigns/{id}/problems.csv',
    tag: 'Campaigns',
    summary: 'Get the list with its problems',
    description:
      'The rows with problems of a finished proof, in the order of the list: `platen_row`, the columns of the list, and a column for each code of problem. UTF-8 with a byte order mark. After corrections the file is a list again: the added columns are left out when it is uploaded.',
    scope: 'render',
    pathParameters: { id: idParameter },
    query: {
      ...filterQuery,
      all: {
        description: 'All rows of the list, also those without a problem. Filters have no effect.',
        schema: { type: 'boolean', default: false },
      },
    },
    answers: { 200: { description: 'The file.', content: fileContent('text/csv') } },
    errors: {
      400: 'A filter is unknown.',
      404: 'No such campaign in the organization, or no finished proof.',
      503: `The organization reads ${rowsLimits.organizationMax} lists of rows; \`Retry-After\` says when to come back.`,
    },
    clientCall:
      "const file = await platen.requestFile('GET /v1/campaigns/{id}/problems.csv', { path: { id: 'cmp_7Qm3vX0aLr2TzK9cBw5e' } })",
    errorShape: 'organization',
  },
  (parts: ResultParts) =>
    async (exchange, { holder, readQuery }) => {
      const campaign = requireCampaign(parts, exchange, holder);
      const { all, ...given } = readQuery();
      const filter = readFilter(parts, campaign, given);
      const run = parts.campaignStore.findRun(campaign.id, 'proof');
      if (run?.state !== 'finished') {
        const message = 'The campaign has no finished run of "proof": start one, and wait for it';
        throw new AppError('NOT_FOUND', message, { reason: 'campaign' });
      }
      await parts.campaigns.load(campaign.id);
      const { list } = pathsOf(parts, campaign);
      openForOneTurn(list).close();
      const facts = JSON.parse(campaign.listJson) as ListFacts;
      const { columns } = facts;
      const wanted: Wanted = { filter, all, columns, dialect: dialectOf(facts), run };
      const name = `attachment; filename="${campaign.id}-problems.csv"`;
      return {
        status: 200,
        headers: [...streamHeaders('text/csv'), 'Content-Disposition', name],
        stream: { chunks: rowSlots.stream(holder.uid, () => csvChunks(list, wanted)) },
      };
    },
);

/** Opens the list at the first read. Throws, and so breaks the answer, if a new proof begins: its end would be missing. */
async function* csvChunks(path: string, wanted: Wanted): AsyncGenerator<Uint8Array> {
  const { filter, all, columns, dialect, run } = wanted;
  const list = openForTurns(path, cacheKib);
  try {
    const codes = list.read(({ problems }) => problems.codes(all ? {} : filter));
    const names = [rowColumn, ...columns.map(protectCell), ...codes.map(problemColumn)];
    // Excel reads UTF-8 only behind a mark.
    yield Buffer.from(`\uFEFF${formatCsvRow(names, dialect)}`);
    for (let last = 0; ;) {
      const chunk = list.read((each) => {
        if (each.findCheckpoint('proof')?.number !== run.number) {
          throw new Error('A new proof of the list has begun.');
        }
        return readChunk(each, last, codes, wanted);
      });
      if (chunk.last === last) return;
      last = chunk.last;
      yield Buffer.from(chunk.text);
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    list.close();
  }
}

/** The next rows, which end with `chunkBytes`. */
function readChunk(
  list: CampaignList,
  after: number,
  codes: readonly string[],
  { filter, all, columns, dialect }: Wanted,
): { text: string; last: number } {
  const rows = all
    ? list.rowsAfter(after, rowsOfRead).map(({ row }) => row)
    : list.problems.inOrder(after, rowsOfRead, filter).map(({ row }) => row);
  const chunk = { text: '', last: after };
  for (const row of rows) {
    const json = list.find(row)?.cellsJson ?? null;
    const cells = json === null ? columns.map(() => '') : (JSON.parse(json) as string[]);
    const problems = list.problems.of(row);
    const messages = codes.map((code) =>
      problems.flatMap((each) => (each.code === code ? each.message : [])).join('; '),
    );
    chunk.text += formatCsvRow([String(row), ...cells.map(protectCell), ...messages], dialect);
    chunk.last = row;
    if (chunk.text.length >= chunkBytes) break;
  }
  return chunk;
}
