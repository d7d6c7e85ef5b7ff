/** Sends a list to the service: as a new campaign, or again with other choices of how it is read. */
import type { Campaign } from '../../client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { loadFile, watchUpload } from '../state/service.ts';
import type { OnProgress, Service } from '../state/service.ts';
import { firstImage, imageOptions } from './image-choices.ts';
import type { ImageOptions } from './image-choices.ts';

/** How a list is read. Empty: as detected. */
export interface ListChoices {
  encoding: string;
  separator: string;
  sheet: string;
  /** `present` or `absent`: whether the first row of a CSV has the names of the columns. */
  header: string;
}

export const detectedChoices: ListChoices = { encoding: '', separator: '', sheet: '', header: '' };

/** Bytes of a list at most, as the service has it: a larger one is not sent. */
const fileBytesMax = 512 * 1024 * 1024;

/** Endings that a file field offers. */
export const listFiles = '.csv,.tsv,.txt,.xlsx,.jsonl,.ndjson,.json';

/** The file of the campaign that this tab has uploaded last: a page may not read it again from the disk by itself. */
let kept: { id: string; file: File } | undefined;

/** The file that a campaign was made of, if this tab has it. */
export function fileOf(id: string): File | undefined {
  return kept?.id === id ? kept.file : undefined;
}

/** The image that an email needs of a template, as the page of a campaign proposes it. */
async function emailImage(
  { client }: Service,
  uid: string,
  signal: AbortSignal,
): Promise<ImageOptions> {
  const template = await client.getTemplateDocument(uid, {}, { signal });
  return imageOptions(uid, template as unknown as Template, firstImage);
}

/** Uploads a list, which is proved at once as `image`, by default as an email needs it. Rejects like the client. */
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
  // Without a type: the header says it.
  const body = new Blob([file]);
  watchUpload(body, onProgress);
  const headers = { 'Content-Type': typeOf(file, choices) };
  const init = { method: 'POST', headers, body, signal };
  const response = await loadFile(service, `/v1/campaigns?${query.toString()}`, init);
  const campaign = (await response.json()) as Campaign;
  kept = { id: campaign.id, file };
  return campaign;
}

const types: Readonly<Record<string, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
  json: 'application/x-ndjson',
};

function typeOf({ name }: File, { header }: ListChoices): string {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  const type = types[ending] ?? 'text/csv';
  return header === '' || type !== 'text/csv' ? type : `${type}; header=${header}`;
}
