/** Campaigns: a list of full names becomes a ZIP of images, or one PDF. */
import { demoApiKey, startService, waitUntilWarm } from '../harness/service.ts';
import type { Service } from '../harness/service.ts';
import { treeCpuMs } from '../harness/cpu-time.ts';
import { formatNumber } from '../harness/format-number.ts';
import { nameOf } from '../harness/names.ts';
import { callApi } from '../harness/publish.ts';
import type { Effort, Scenario } from '../scenario.ts';

const rowsOf: Record<Effort, { zip: number; pdf: number }> = {
  quick: { zip: 100, pdf: 20 },
  normal: { zip: 10_000, pdf: 200 },
};
/** The goal counts this many files; a shorter run is extrapolated. */
const goalRows = 10_000;

export const campaignFiles: Scenario = {
  name: 'campaign-files',
  words: ['campaign', 'files', 'zip', 'pdf'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const service = await startService();
    await waitUntilWarm(service);
    const zip = await runFiles(service, rowsOf[effort].zip, 'zip');
    const pdf = await runFiles(service, rowsOf[effort].pdf, 'pdf');
    await service.close();
    const how = `${zip.how}; ${pdf.how}, as one PDF`;
    return { measurements: [{ budget: 'campaign-files', reached: zip.seconds, how }] };
  },
};

/** Makes the files of so many rows; seconds for as many as the goal says. */
async function runFiles(
  service: Service,
  rows: number,
  output: 'zip' | 'pdf',
): Promise<{ seconds: number; how: string }> {
  const list = ['name', ...Array.from({ length: rows }, (_, index) => nameOf(index))].join('\n');
  const options = JSON.stringify({ output });
  const query = new URLSearchParams({ template: 'welcome-banner', mode: 'files', options });
  const startedMs = performance.now();
  const startedCpuMs = treeCpuMs(service.pid);
  const path = `/v1/campaigns?${query.toString()}`;
  const headers = { 'X-API-Key': demoApiKey, 'Content-Type': 'text/csv' };
  const created = await fetch(service.base + path, { method: 'POST', headers, body: list });
  const { id } = (await created.json()) as { id: string };
  await (await fetch(`${service.base}/v1/campaigns/${id}/events`, { headers })).text();
  const seconds = ((performance.now() - startedMs) / 1000) * (goalRows / rows);
  const rowCpuMs = (treeCpuMs(service.pid) - startedCpuMs) / rows;
  const { state, counts } = (await callApi(service, demoApiKey, 'GET', `/v1/campaigns/${id}`)) as {
    state: string;
    counts: { files: number; bytes: number };
  };
  if (state !== 'finished' || counts.files !== rows)
    throw new Error(`The campaign is ${state} with ${counts.files} of ${rows} files.`);
  const megabytes = formatNumber(counts.bytes / 1e6);
  const how = `${rows} rows, ${megabytes} MB, ${formatNumber(rowCpuMs)} ms of CPU time each`;
  return { seconds, how };
}
