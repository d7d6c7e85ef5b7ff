/** Calls of the campaign endpoints, as a program makes them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CampaignStore } from '../../../src/mailings/store/campaigns/campaign-store.ts';
import { testOrganization } from '../../e2e/published.ts';
import type { Answer, RequestOptions } from '../../e2e/request.ts';
import { eventually } from '../../e2e/service.ts';
import type { Service } from '../../e2e/service.ts';

type Asked = Pick<Service, 'get'>;

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
  needs_you: boolean;
  problems: { code: string; variable: string | null; message: string }[];
  cells: Record<string, string>;
}

/** What the data folder has of campaigns; the lock of their runs belongs to none. */
export function campaignFiles(dataDirectory: string): string[] {
  const names = readdirSync(join(dataDirectory, 'campaigns'));
  return names.filter((name) => name.startsWith('cmp_')).toSorted();
}

export const key = { 'X-API-Key': testOrganization.key };

/** The service, asked with the key of another organization. */
export function withKey({ get }: Asked, apiKey: string): Asked {
  return {
    get: (path, options) =>
      get(path, { ...options, headers: { ...options?.headers, 'X-API-Key': apiKey } }),
  };
}

/** A call on a path below that of campaigns. */
export function call(
  { get }: Asked,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json', ...key, ...options.headers };
  return get(`/v1/campaigns${path}`, { ...options, method, headers });
}

/** Uploads a list. `query` is appended to the address. */
export async function createCampaign(
  service: Asked,
  template: string,
  mode: string,
  list: string | Buffer,
  query: Record<string, string> = {},
): Promise<{ status: number; body: CampaignBody; answer: Answer }> {
  const path = `?${new URLSearchParams({ template, mode, ...query }).toString()}`;
  const headers = { 'Content-Type': 'text/csv' };
  const answer = await call(service, 'POST', path, { headers, body: list });
  return { status: answer.status, body: answer.json() as CampaignBody, answer };
}

/** Uploads a list, and waits for the end of its run. */
export async function runCampaign(
  service: Asked,
  template: string,
  mode: string,
  list: string | Buffer,
  options: Record<string, unknown> = {},
): Promise<CampaignBody> {
  const query = { options: JSON.stringify(options) };
  const { status, body, answer } = await createCampaign(service, template, mode, list, query);
  if (status !== 202) throw new Error(answer.text);
  return waitForRun(service, body.id);
}

export async function startRun(service: Asked, id: string, body: object): Promise<number> {
  return (await call(service, 'POST', `/${id}/runs`, { body: JSON.stringify(body) })).status;
}

export async function getCampaign(service: Asked, id: string): Promise<CampaignBody> {
  return (await call(service, 'GET', `/${id}`)).json() as CampaignBody;
}

/** Resolves when some rows are done. */
export function isUnderWay(service: Asked, id: string): Promise<boolean> {
  return eventually(async () => (await getCampaign(service, id)).done > 0, 30_000);
}

/** Resolves when the stream of events has ended: no run is queued or running. */
export async function waitForRun(service: Asked, id: string): Promise<CampaignBody> {
  await call(service, 'GET', `/${id}/events`);
  return getCampaign(service, id);
}

/** A finished result. */
export async function download(service: Asked, id: string, file: string): Promise<Buffer> {
  const answer = await call(service, 'GET', `/${id}/${file}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

export async function remove(service: Asked, id: string): Promise<number> {
  return (await call(service, 'DELETE', `/${id}`)).status;
}

/** The rows with problems, those of one problem, or those of a query. */
export async function rowsOf(
  service: Asked,
  id: string,
  asked: string | Record<string, string> = {},
): Promise<RowBody[]> {
  const query = new URLSearchParams(typeof asked === 'string' ? { problem: asked } : asked);
  const { text } = await call(service, 'GET', `/${id}/rows?${query.toString()}`);
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
