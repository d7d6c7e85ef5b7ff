/** Uploads a list to the service as a new campaign, with choices for how the service reads it. */
import { listEndings, listType } from '../../../client/list-files.ts';
import { PlatenError } from '../../../client/platen-client.ts';
import type { Campaign } from '../../../client/platen-client.ts';
import { explainProxyAnswer } from '../../../client/proxy-answer.ts';
import type { Template } from '#language/schema/template.ts';
import { loadFile, watchUpload } from '../../state/service.ts';
import type { OnProgress, Service } from '../../state/service.ts';
import { firstImage, imageOptions } from '../image-choices.ts';
import type { ImageOptions } from '../image-choices.ts';

/** Choices for how the service reads a list. Empty means as detected. */
export interface ListChoices {
  encoding: string;
  separator: string;
  sheet: string;
  /** `present` or `absent`: whether the first row of a CSV has the names of the columns. */
  header: string;
}

export const detectedChoices: ListChoices = { encoding: '', separator: '', sheet: '', header: '' };

/** Maximum size of a list in bytes, as in the service. A larger list is not sent. */
const fileBytesMax = 512 * 1024 * 1024;

/** File extensions that the file field accepts. */
export const listFiles = listEndings.join(',');

/** The list that this tab uploaded last. A page cannot read a file from the disk again by itself. */
let kept: { id: string; file: File } | undefined;

/** The list file of a campaign, if this tab uploaded it last. */
export function fileOf(id: string): File | undefined {
  return kept?.id === id ? kept.file : undefined;
}

/** Default image options for an email, as the campaign page proposes them. */
async function emailImage(
  { client }: Service,
  uid: string,
  signal: AbortSignal,
): Promise<ImageOptions> {
  const template = await client.getTemplateDocument(uid, {}, { signal });
  return imageOptions(uid, template as unknown as Template, firstImage);
}

/**
 * Uploads a list as a new campaign and starts its proof with `image`, by default the image for an email. Rejects like
 * the client, and for a file that is too large.
 */
export async function uploadList(
  service: Service,
  uid: string,
  file: File,
  choices: ListChoices,
  {
    image,
    onProgress,
    signal,
  }: { image: ImageOptions | undefined; onProgress: OnProgress; signal: AbortSignal },
): Promise<Campaign> {
  if (file.size > fileBytesMax) {
    throw new Error(`${file.name} is larger than 512 MiB. Send it in parts.`);
  }
  const { encoding, separator, sheet } = choices;
  const options = JSON.stringify(image ?? (await emailImage(service, uid, signal)));
  const query = new URLSearchParams({ template: uid, mode: 'proof', name: file.name, options });
  for (const [name, value] of Object.entries({ encoding, separator, sheet })) {
    if (value !== '') query.set(name, value);
  }
  // The blob has no type, because the header gives it.
  const body = new Blob([file]);
  watchUpload(body, onProgress);
  const headers = { 'Content-Type': typeOf(file, choices) };
  const init = { method: 'POST', headers, body, signal };
  const response = await loadFile(service, `/v1/campaigns?${query.toString()}`, init).catch(
    (error: unknown) => {
      const explained =
        error instanceof PlatenError ? explainProxyAnswer(error, file.size) : undefined;
      throw explained === undefined ? error : new Error(explained);
    },
  );
  const campaign = (await response.json()) as Campaign;
  kept = { id: campaign.id, file };
  return campaign;
}

function typeOf({ name }: File, { header }: ListChoices): string {
  const type = listType(name);
  return header === '' ? type : `${type}; header=${header}`;
}
