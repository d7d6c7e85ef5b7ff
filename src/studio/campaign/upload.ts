/** Sends a list to the service: as a new campaign, or again with other choices of how it is read. */
import type { Campaign } from '../../client/platen-client.ts';
import { loadFile, watchUpload } from '../state/service.ts';
import type { OnProgress, Service } from '../state/service.ts';

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

/** Uploads a list, which is proved at once. Rejects like the client. */
export async function uploadList(
  service: Service,
  uid: string,
  file: File,
  choices: ListChoices,
  { onProgress, signal }: { onProgress: OnProgress; signal: AbortSignal },
): Promise<Campaign> {
  if (file.size > fileBytesMax) {
    throw new Error(`${file.name} is larger than 512 MiB. Send it in parts.`);
  }
  const { encoding, separator, sheet } = choices;
  const query = new URLSearchParams({ template: uid, mode: 'proof', name: file.name });
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
