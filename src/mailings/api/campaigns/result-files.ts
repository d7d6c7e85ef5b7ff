/** The files that runs of campaigns have made. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Campaigns } from '../../campaigns/campaigns.ts';
import { filesOf } from '../../campaigns/shared/shared-files.ts';
import { resultPaths } from '../../campaigns/results/files/result-file.ts';
import { AppError } from '../../../foundation/errors.ts';
import { OrganizationSlots } from '../../../foundation/organization-slots.ts';
import type { SlotLimits } from '../../../foundation/organization-slots.ts';
import type { Reply } from '../../../http/reply.ts';
import type { Campaign, CampaignRun } from '../../store/campaigns/campaign-records.ts';
import { fileContent } from '../../../api/declaration.ts';
import { endpoint } from '../../../api/endpoint.ts';
import { requireCampaign } from './request.ts';
import { pathsOf, streamHeaders } from './results.ts';
import type { ResultParts } from './results.ts';
import { idParameter } from './schemas.ts';

/** A stalled client holds an open file and 64 KB of it. */
const filesLimits: SlotLimits = {
  what: 'files of campaigns are being sent',
  organizationMax: 16,
  countMax: 128,
  reason: 'files',
};

const slots = new OrganizationSlots(filesLimits);

/** Makes the endpoint of a file that a run has made. */
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
        503: `The organization reads ${filesLimits.organizationMax} files; \`Retry-After\` says when to come back.`,
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
        return fileReply(parts, campaign, mode, path, { file, type, organizationUid: holder.uid });
      },
  );
}

async function fileReply(
  { campaigns, campaignStore }: ResultParts,
  { id }: Campaign,
  mode: 'proof' | 'links' | 'files',
  path: string,
  { file, type, organizationUid }: { file: string; type: string; organizationUid: string },
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
  const { bytes, chunks } = result;
  const stream = { bytes, chunks: slots.stream(organizationUid, () => chunks) };
  return { status: 200, headers, stream };
}

/** Finds a result of a finished run, in the shared database or on disk; undefined if it is missing. */
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
  // Reads the first part now, so that an unavailable database fails the answer and not its stream.
  const first = await campaigns.readPart(file.id, 0);
  // A restored backup may lack the files of campaigns.
  if (first === undefined && file.bytes > 0) return undefined;
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
    part = await campaigns.readPart(id, next);
  }
  if (sent < bytes) throw new Error(`The shared database has a part of the file ${id} alone.`);
}

/** Opens the file at the first read: a HEAD reads nothing. */
async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}

export const fileEndpoints = [
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
