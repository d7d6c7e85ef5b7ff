/**
 * Measures the stages of a thread when one text of `welcome-banner` changes: `node bench/stages/render-stages.ts
 * [jpeg|png]`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { RenderFormat, RenderJob } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { loadSourceImage } from '../harness/source-image.ts';
import { median } from '../harness/compare-rounds.ts';
import { changedText, nameOf } from '../harness/values.ts';

const repository = join(import.meta.dirname, '../..');
await prepareFontEnvironment(join(repository, 'node_modules/.cache/platen-bench'));
const { renderJob } = await import('../../workers/render.ts');

const uid = 'welcome-banner';
const samples = join(repository, 'data/templates');
/** After these, V8 compiles nothing any more. */
const warmUpRenders = 3000;
const renders = 3000;

const format = (process.argv[2] ?? 'jpeg') as RenderFormat;
const templateJson = readFileSync(join(samples, `${uid}.json`), 'utf8');
const template: Template = JSON.parse(templateJson);
const images = [...new Set(templateJson.match(/\.\/pictures\/[\w.-]+/g))].map(
  (source): RenderJob['images'][number] => [source, loadSourceImage(join(samples, source))],
);

/** Milliseconds of each stage of one render, and of the whole render by the clock around it. */
async function measure(number: number): Promise<Record<string, number>> {
  const pairs = template.variables.map(({ name, value }): [string, string] => [
    name,
    name === changedText[uid] ? nameOf(number) : value,
  ]);
  const job: RenderJob = {
    templateKey: uid,
    templateJson,
    values: new Map(pairs),
    images,
    format,
    quality: 85,
    scale: 1,
  };
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
  // As in a thread, which frees its native memory between jobs.
  await turn();
  if (number < warmUpRenders) continue;
  const { user, system } = process.cpuUsage(before);
  processorMs += (user + system) / 1000;
  rows.push(row);
}
for (const stage of Object.keys(rows[0] ?? {})) {
  const ms = rows.map((row) => row[stage] ?? 0);
  const mean = ms.reduce((sum, each) => sum + each, 0) / ms.length;
  console.log(`${stage.padEnd(10)} median ${median(ms).toFixed(3)}, mean ${mean.toFixed(3)}`);
}
console.log(
  `processor time, collection of garbage included: ${(processorMs / renders).toFixed(3)} ms a render`,
);
