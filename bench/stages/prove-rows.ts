/** Measures the proof of rows with unique full names in a render host: layout, contrast, and the bound of the file. */
import { join } from 'node:path';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { readSample, toJob } from '../harness/sample-job.ts';
import { nameOf } from '../harness/names.ts';
import { changedText } from '../harness/values.ts';
import type { Sample } from '../harness/values.ts';

await prepareFontEnvironment(join(import.meta.dirname, '../../node_modules/.cache/platen-bench'));
const { render } = await import('../../workers/render.ts');

const rows = Number(process.argv[3] ?? 4000);
const chosen = (process.argv[2] ?? 'quote,event-ticket,welcome-banner').split(',') as Sample[];

/** As a proof sends them: photos of the template have been sent before. */
const proof = { fileBytesMax: 1_000_000 };

for (const uid of chosen) {
  const sample = readSample(uid);
  const format = sample.template.output?.format ?? 'png';
  const quarter = Math.floor(rows / 4);
  let [warmUpMs, files] = [0, 0];
  const started = process.cpuUsage();
  const usedMs = (): number => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
  for (let row = 0; row < rows; row += 1) {
    const job = toJob(sample, { [changedText[uid]]: nameOf(row) }, format);
    const outcome = await render({ ...job, proof });
    if (!outcome.ok) throw new Error(outcome.detail);
    if (outcome.bytes.byteLength > 0) files += 1;
    if (row === quarter - 1) warmUpMs = usedMs();
  }
  const cpuMs = usedMs();
  const perRow = (cpuMs - warmUpMs) / (rows - quarter);
  console.log(
    `${uid}: ${perRow.toFixed(3)} ms of CPU time a row, ${(warmUpMs / quarter).toFixed(3)} ms in the first quarter, ${files} files of ${rows}`,
  );
}
