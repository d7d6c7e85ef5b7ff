/** Calls of the campaign endpoints, as a program makes them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CampaignStore } from '../../src/store/campaigns/campaign-store.ts';
import { testOrganization } from '../e2e/published.ts';
import type { Service } from '../e2e/service.ts';
import type { Answer } from '../e2e/request.ts';

export interface CampaignBody {
  id: string;
  state: string;
  done: number;
  rows: number;
  error: string | null;
  counts: Record<string, unknown>;
  mapping: Record<string, string>;
  list: Record<string, unknown>;
}

export interface RowBody {
  row: number;
  line: number;
  problems: { code: string; variable: string | null; message: string }[];
  cells: Record<string, string>;
}

/** What the data folder has of campaigns; the lock of their runs belongs to none. */
export function campaignFiles(dataDirectory: string): string[] {
  const names = readdirSync(join(dataDirectory, 'campaigns'));
  return names.filter((name) => name.startsWith('cmp_')).toSorted();
}

export const key = { 'X-API-Key': testOrganization.key };

/** Uploads a list. `query` is appended to the address. */
export async function createCampaign(
  service: Pick<Service, 'get'>,
  template: string,
  mode: string,
  list: string | Buffer,
  query: Record<string, string> = {},
): Promise<{ status: number; body: CampaignBody; answer: Answer }> {
  const path = `/v1/campaigns?${new URLSearchParams({ template, mode, ...query }).toString()}`;
  const headers = { ...key, 'Content-Type': 'text/csv' };
  const answer = await service.get(path, { method: 'POST', headers, body: list });
  return { status: answer.status, body: answer.json() as CampaignBody, answer };
}

export async function getCampaign(
  service: Pick<Service, 'get'>,
  id: string,
): Promise<CampaignBody> {
  return (await service.get(`/v1/campaigns/${id}`, { headers: key })).json() as CampaignBody;
}

/** Resolves when the stream of events has ended: no run is queued or running. */
export async function waitForRun(service: Pick<Service, 'get'>, id: string): Promise<CampaignBody> {
  await service.get(`/v1/campaigns/${id}/events`, { headers: key });
  return getCampaign(service, id);
}

/** The rows with problems, or with one problem. */
export async function rowsOf(
  service: Pick<Service, 'get'>,
  id: string,
  problem?: string,
): Promise<RowBody[]> {
  const query = problem === undefined ? '' : `?problem=${problem}`;
  const { text } = await service.get(`/v1/campaigns/${id}/rows${query}`, { headers: key });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RowBody);
}

/** A campaign as it is stored, without a list. */
export function storedCampaign(
  id: string,
  organizationUid: string,
  templateUid: string,
): Parameters<CampaignStore['create']>[0] {
  return {
    id,
    organizationUid,
    templateUid,
    name: 'a list',
    listJson: '{}',
    mappingJson: '{}',
    rowCount: 0,
    bytes: 0,
    fileBytes: 0,
    expiresAt: Date.now() + 1e9,
  };
}
