/**
 * Measures the stages of a render when a full name in a sample changes: `node bench/stages/render-stages.ts [jpeg|png]
 * [sample]`.
 */
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { RenderFormat } from '#wire/render-job.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { nameOf } from '../harness/names.ts';
import { readSample, toJob } from '../harness/sample-job.ts';
import { mean, median } from '../harness/statistics.ts';
import { changedText } from '../harness/values.ts';
import type { Sample } from '../harness/values.ts';

const repository = join(import.meta.dirname, '../..');
await prepareFontEnvironment(join(repository, 'node_modules/.cache/platen-bench'));
const { renderJob } = await import('../../workers/render.ts');

/** After these, V8 compiles nothing any more. */
const warmUpRenders = 3000;
const renders = 3000;

const format = (process.argv[2] ?? 'jpeg') as RenderFormat;
const sample = (process.argv[3] ?? 'welcome-banner') as Sample;
const document = readSample(sample);

/** Milliseconds of each stage of one render, and of the whole render by the clock around it. */
async function measure(number: number): Promise<Record<string, number>> {
  const job = toJob(document, { [changedText[sample]]: nameOf(number) }, format);
  const startedMs = performance.now();
  const { timings, drawn } = await renderJob(job);
  const allMs = performance.now() - startedMs;
  if (number > 10 && drawn !== 'plan') throw new Error('The base render is not used.');
  const { layoutMs, decodeMs, paintMs, encodeMs } = timings;
  const elseMs = allMs - layoutMs - decodeMs - paintMs - encodeMs;
  return { layoutMs, damageMs: decodeMs, paintMs, encodeMs, elseMs, allMs };
}

const rows: Record<string, number>[] = [];
let processorMs = 0;
for (let number = 0; number < warmUpRenders + renders; number += 1) {
  const before = process.cpuUsage();
  const row = await measure(number);
  // As in a process, which frees its native memory between jobs.
  await turn();
  if (number < warmUpRenders) continue;
  const { user, system } = process.cpuUsage(before);
  processorMs += (user + system) / 1000;
  rows.push(row);
}
for (const stage of Object.keys(rows[0] ?? {})) {
  const ms = rows.map((row) => row[stage] ?? 0);
  console.log(`${stage.padEnd(10)} median ${median(ms).toFixed(3)}, mean ${mean(ms).toFixed(3)}`);
}
console.log(
  `processor time, collection of garbage included: ${(processorMs / renders).toFixed(3)} ms a render`,
);
