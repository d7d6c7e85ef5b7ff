/** Writes results for people: lines in the terminal, and the page `docs/benchmarks.md`. */
import { readFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { loadAddon } from '../src/http/native.ts';
import type { Budget, BudgetId } from './budgets.ts';
import { budgets, isReached } from './budgets.ts';
import { formatNumber } from './harness/format-number.ts';
import { peerVersions } from './harness/programs.ts';
import type { CoreRate, Measurement, PeerRow, Results } from './scenario.ts';

/** Time and revision of a run. */
export interface Occasion {
  /** `YYYY-MM-DD` in UTC. */
  date: string;
  /** A short commit, with `+` if files were changed since. */
  revision: string;
  /** Duration of the whole run. */
  minutes: number;
}

/** The machine of the measurements. */
export interface Machine {
  processor: string;
  cores: number;
  memoryBytes: number;
  system: string;
  node: string;
  /** By name: the service's packages and the peers'. */
  packages: Record<string, string>;
}

const notMeasured = 'not measured';

/** The service's packages whose versions affect the figures. */
const measuredPackages = [loadAddon().packageName, 'skia-canvas', 'sharp', 'autocannon'];

export function describeMachine(): Machine {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  const versions: Record<string, string> = {
    ...manifest.dependencies,
    ...manifest.devDependencies,
  };
  const platen = measuredPackages.map((name): [string, string] => [
    name,
    (versions[name] ?? '').replace(/^npm:.*@/, ''),
  ]);
  const [first] = cpus();
  return {
    processor: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    system: `${platform()} ${arch()}`,
    node: process.version,
    packages: { ...Object.fromEntries(platen), ...peerVersions() },
  };
}

/** Two lines for the terminal: the verdict and the figure, then the details. */
export function measurementLine({ budget: id, reached, how }: Measurement): string {
  const budget: Budget = budgets[id];
  const columns = [
    isReached(budget, reached) ? 'reached ' : 'MISSED  ',
    formatReached(budget, reached).padStart(10),
    formatGoal(budget).padEnd(17),
    budget.claim,
  ];
  return `${columns.join('  ')}\n${' '.repeat(10)}${how}`;
}

/** Returns the whole page. */
export function benchmarkPage(results: Results, occasion: Occasion, machine: Machine): string {
  const parts = [
    '# Benchmarks',
    '`npm run bench` writes this page: do not edit it. All figures are of one run. ' +
      'A ratio (×) compares two things in alternating rounds (A B, B A, …). It is the median over the rounds, with the smallest and the largest beside it. Absolute times depend more on the machine than on the code.',
    'The texts are 2,000 full names in ten scripts, of 4 to 40 letters. Each link has a name that was never used before: later names have other letters of the same script. A row says so if its text is one short word.',
    'Service, client and peers are separate processes on 127.0.0.1, on the same cores. Peers get the font files of all scripts, and the size of a name from its number of letters, which costs them no time; Platen measures the text and shrinks it. Before anything is timed, images are decoded: ' +
      'they must have the right size, must not be blank, and must all differ. Those of two engines are compared as thumbnails, because engines draw letters differently.',
    describeOccasion(occasion, machine),
    '## Goals',
    goalTable(results.measurements),
    ...plotParts(results),
    '## Alternatives',
    ...peerParts(results.peers),
    '## Versions',
    Object.entries(machine.packages)
      .map(([name, version]) => `\`${name}\` ${version}`)
      .join(', ') + '.',
  ];
  return `${parts.join('\n\n')}\n`;
}

function goalTable(measurements: readonly Measurement[]): string {
  const rows = (Object.keys(budgets) as BudgetId[]).map((id) => {
    const budget: Budget = budgets[id];
    const head = [budget.claim, formatGoal(budget)];
    const found = measurements.find((each) => each.budget === id);
    if (found === undefined) return [...head, notMeasured, ''];
    const verdict = isReached(budget, found.reached) ? '' : ' (missed)';
    return [...head, `**${formatReached(budget, found.reached)}**${verdict}`, found.how];
  });
  return table(['what', 'goal', 'reached', 'details'], rows);
}

function plotParts({ regionCosts, coreRates }: Results): string[] {
  return [
    '## Cost against changed pixels',
    ...(regionCosts === undefined
      ? ['Not measured.']
      : [
          'A translucent rectangle over `welcome-banner` changes its colour, in 40 sizes. The cost is the CPU time of all threads of a render thread.',
          '![CPU time of a render over the share of changed pixels, for JPEG and PNG, with fitted lines](images/cost-by-region.svg)',
        ]),
    '## Images a second against cores',
    ...(coreRates === undefined ? ['Not measured.'] : coreParts(coreRates)),
  ];
}

function coreParts(rates: readonly CoreRate[]): string[] {
  const counts = [...new Set(rates.map(({ cores }) => cores))];
  const cell = (cores: number, format: CoreRate['format']): string => {
    const rate = rates.find((each) => each.cores === cores && each.format === format);
    if (rate === undefined) return notMeasured;
    const { perSecond, low, high } = rate;
    return `${formatNumber(perSecond)} (${formatNumber(low)} to ${formatNumber(high)})`;
  };
  return [
    'Unique links of `welcome-banner` with full names, images a second. The service may use only these cores and has as many render threads. The client may use all cores of the machine, so that it takes a part of the last ones.',
    '![Images a second over the number of cores, for JPEG and PNG](images/images-by-cores.svg)',
    table(
      ['cores', 'JPEG', 'PNG'],
      counts.map((count) => [String(count), cell(count, 'jpeg'), cell(count, 'png')]),
    ),
  ];
}

function peerParts(peers: readonly PeerRow[] | undefined): string[] {
  const [platen] = peers ?? [];
  if (peers === undefined || platen === undefined) return ['Not measured.'];
  const cell = (perSecond: number | undefined, platenPerSecond: number | undefined): string => {
    if (perSecond === undefined || platenPerSecond === undefined) return notMeasured;
    const number = formatNumber(perSecond);
    return perSecond === platenPerSecond
      ? number
      : `${number} (1 : ${formatNumber(platenPerSecond / perSecond)})`;
  };
  const rows = peers.map(({ name, jpegPerSecond, pngPerSecond }) => [
    name,
    cell(jpegPerSecond, platen.jpegPerSecond),
    cell(pngPerSecond, platen.pngPerSecond),
  ]);
  return [
    'The sample `welcome-banner` (1200 × 630: photo, gradient, mark, texts in two families, button with a shadow) with another full name in each image. ' +
      'The figures are images a second at the same concurrency, measured one after the other. Platen answers links over HTTP; the others draw in-process, without a server. ' +
      '“Tuned” is skia-canvas with the photo scaled in advance and 4:2:0 JPEG.',
    table(['', 'JPEG', 'PNG'], rows),
  ];
}

function describeOccasion({ date, revision, minutes }: Occasion, machine: Machine): string {
  const { processor, cores, memoryBytes, system, node } = machine;
  const gigabytes = Math.round(memoryBytes / 2 ** 30);
  return (
    `Measured on ${date} at revision ${revision}, in ${Math.round(minutes)} minutes: ` +
    `${processor}, ${cores} cores, ${gigabytes} GiB, ${system}, Node ${node}.`
  );
}

function formatReached({ unit }: Budget, reached: number): string {
  return `${formatNumber(reached)}${unit}`;
}

function formatGoal({ goal, unit }: Budget): string {
  const sign = { 'at least': '≥ ', 'at most': '≤ ', exactly: 'exactly ' }[goal.is];
  return `${sign}${formatNumber(goal.value)}${unit}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
