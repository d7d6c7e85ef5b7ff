/** Measures the CPU time of renders over the size of the changed region, with the code of a render host. */
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Layer } from '#language/schema/layers.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import type { JobDocument } from '../harness/sample-job.ts';
import { readSample, toJob, toJobDocument } from '../harness/sample-job.ts';
import { mean, median } from '../harness/statistics.ts';
import type { RegionCost } from '../scenario.ts';

export interface RegionOrder {
  format: RegionCost['format'];
  /** Percent of the canvas. */
  shares: number[];
  /** Passes over all regions, and renders of each region in a pass. */
  passes: number;
  renders: number;
}

const repository = join(import.meta.dirname, '../..');
await prepareFontEnvironment(join(repository, 'node_modules/.cache/platen-bench'));
const { threadOptions } = await import('../../workers/thread-options.ts');
// The base renders of all regions: a cache of the usual size would keep some and refuse the others.
threadOptions.baseRendersBytesMax = 1024 ** 3;
const { renderJob } = await import('../../workers/render.ts');

const order: RegionOrder = JSON.parse(process.argv[2] ?? '{}');
/** Renders before those that count: the second one makes the base render. */
const untimedRenders = 4;

/** `welcome-banner` with a translucent rectangle in its middle, whose colour is a value. */
function documentOf(share: number): JobDocument {
  const { template, images } = readSample('welcome-banner');
  const side = Math.sqrt(share / 100);
  const [width, height] = [template.width * side, template.height * side].map(Math.round);
  const tint = {
    id: 'tint',
    type: 'rect',
    x: Math.round((template.width - (width ?? 0)) / 2),
    y: Math.round((template.height - (height ?? 0)) / 2),
    width,
    height,
    fill: '{{tint}}',
  } as Layer;
  const variables: typeof template.variables = [
    ...template.variables,
    { name: 'tint', type: 'color', value: '#80808060' },
  ];
  return toJobDocument({ ...template, variables, layers: [...template.layers, tint] }, images);
}

let lastColor = 0;

/** Returns a grey that was not used before: a vivid colour would change the resolution of colour in a JPEG. */
function nextColor(): string {
  lastColor += 1;
  const level = (32 + (lastColor % 192)).toString(16).padStart(2, '0');
  const alpha = (64 + (Math.floor(lastColor / 192) % 128)).toString(16);
  return `#${level}${level}${level}${alpha}`;
}

/** Mean CPU time of a render, of all threads of this process, and whether the last one was rendered whole. */
async function measure(document: JobDocument): Promise<{ cpuMs: number; isWhole: boolean }> {
  const times: number[] = [];
  let isWhole = false;
  for (let render = -untimedRenders; render < order.renders; render += 1) {
    const job = toJob(document, { tint: nextColor() }, order.format);
    const before = process.cpuUsage();
    const { drawn } = await renderJob(job);
    isWhole = drawn === 'whole';
    const { user, system } = process.cpuUsage(before);
    await turn();
    if (render >= 0) times.push((user + system) / 1000);
  }
  return { cpuMs: mean(times), isWhole };
}

const regions = order.shares.map((share) => {
  return { share, document: documentOf(share), passes: new Array<number>(), isWhole: false };
});
// The first pass warms up: V8 compiles.
for (let pass = -1; pass < order.passes; pass += 1) {
  for (const region of regions) {
    const { cpuMs, isWhole } = await measure(region.document);
    region.isWhole = isWhole;
    if (pass >= 0) region.passes.push(cpuMs);
  }
}
const costs = regions.map(({ share, passes, isWhole }): RegionCost => {
  return { format: order.format, share, cpuMs: median(passes), isWhole };
});
process.stdout.write(JSON.stringify(costs));
