/** `npm run law -- --documents 20000 --seed 1 [--processes 2] [--report folder]`: the law of rendering over many documents. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { offence, runLaw } from './campaign.ts';

const { values: options } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: '2' },
    report: { type: 'string' },
  },
});
const [documents, seed, processes] = [options.documents, options.seed, options.processes].map(
  Number,
) as [number, number, number];

const progressEvery = 500;
const outcomes = new Map<string, number>();
const cpuMs: number[] = [];
const drawingsMs: number[] = [];
const bytes: number[] = [];
let [done, broken] = [0, 0];

function quantiles(numbers: number[], digits = 0): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(digits);
  const mean = numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length);
  return `mean ${mean.toFixed(digits)}, p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, max ${at(1)}`;
}

function report(): void {
  console.log(`${done} documents, ${broken} break the law`);
  for (const [outcome, count] of outcomes) console.log(`  ${outcome}: ${count}`);
  console.log(`  processor time, ms: ${quantiles(cpuMs)}`);
  console.log(`  of it drawings of SVG layers, ms: ${quantiles(drawingsMs)}`);
  console.log(`  growth of memory, MB: ${quantiles(bytes.map((each) => each / 1e6))}`);
}

await runLaw({ documents, seed, processes }, (measured) => {
  const { lawCase, result } = measured;
  done += 1;
  const outcome = result?.outcome ?? 'lost';
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  if (result !== undefined) {
    cpuMs.push(result.checkMs + result.renderMs + result.drawingsMs);
    drawingsMs.push(result.drawingsMs);
    bytes.push(result.peakBytes);
  }
  const fault = offence(measured);
  if (fault !== undefined) {
    broken += 1;
    const text = JSON.stringify(lawCase);
    console.log(
      `${fault}: ${lawCase.by} ${lawCase.format} ${lawCase.quality} scale ${lawCase.scale}, ${result?.detail ?? ''} ${text.slice(0, options.report === undefined ? 2000 : 300)}`,
    );
    if (options.report !== undefined) {
      mkdirSync(options.report, { recursive: true });
      writeFileSync(join(options.report, `${done}.json`), text);
    }
  }
  if (done % progressEvery === 0) report();
});
report();
process.exitCode = broken === 0 ? 0 : 1;
