/** Calls that make and read the files of a campaign. */
import sharp from 'sharp';
import type { Service } from '../e2e/service.ts';
import { createCampaign, getCampaign, key, waitForRun } from './campaign-client.ts';
import { readPages } from './pdf-reader.ts';
import { readZip } from './zip-reader.ts';

/** Uploads a list, and waits for its files. */
export async function makeFiles(
  service: Pick<Service, 'get'>,
  template: string,
  list: string,
  options: Record<string, unknown> = {},
): Promise<{ id: string; campaign: Awaited<ReturnType<typeof getCampaign>> }> {
  const created = await createCampaign(service, template, 'files', list, {
    options: JSON.stringify(options),
  });
  if (created.status !== 202) throw new Error(created.answer.text);
  const { id } = created.body;
  return { id, campaign: await waitForRun(service, id) };
}

/** A finished result. */
export async function download(
  service: Pick<Service, 'get'>,
  id: string,
  file: 'files.zip' | 'files.pdf',
): Promise<Buffer> {
  const answer = await service.get(`/v1/campaigns/${id}/${file}`, { headers: key });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

export const pixelsOf = (image: Buffer): Promise<Buffer> => sharp(image).raw().toBuffer();

/** What a file says: names with pixels, or the texts of its pages. */
export async function contentsOf(file: Buffer): Promise<unknown[]> {
  if (file.subarray(0, 4).toString() === '%PDF') {
    return (await readPages(file)).map(({ texts }) => texts);
  }
  const files = await readZip(file);
  return Promise.all(
    [...files].map(async ([name, bytes]) => [
      name,
      (name.endsWith('.csv') ? bytes : await pixelsOf(bytes)).toString('base64'),
    ]),
  );
}
