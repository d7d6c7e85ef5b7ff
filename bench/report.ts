/** Writes results for people: lines in the terminal, and the page `docs/benchmarks.md`. */
import { readFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Budget, BudgetId } from './budgets.ts';
import { budgets, isReached } from './budgets.ts';
import { formatNumber } from './harness/format-number.ts';
import { peerVersions } from './harness/programs.ts';
import type { Occasion, Results } from './results.ts';
import type { Measurement } from './scenario.ts';

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
const measuredPackages = ['uWebSockets.js', 'skia-canvas', 'sharp', 'autocannon'];

export function describeMachine(): Machine {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  const versions: Record<string, string> = {
    ...manifest.dependencies,
    ...manifest.devDependencies,
  };
  const own = measuredPackages.map((name): [string, string] => [
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
    packages: { ...Object.fromEntries(own), ...peerVersions() },
  };
}

/** Two lines for the terminal: the verdict and the figure, then the details. */
export function measurementLine({ budget: id, reached, how }: Measurement): string {
  const budget: Budget = budgets[id];
  const columns = [
    verdictOf(isReached(budget, reached)).padEnd(8),
    formatReached(budget, reached).padStart(10),
    formatBar(budget).padEnd(17),
    budget.claim,
  ];
  return `${columns.join('  ')}\n${' '.repeat(10)}${how}`;
}

function verdictOf(isGood: boolean | undefined): string {
  if (isGood === undefined) return '';
  return isGood ? 'reached' : 'MISSED';
}

/** Returns the whole page. */
export function benchmarkPage(results: Results, machine: Machine): string {
  const occasion = newestOccasion(results);
  const parts = [
    '# Benchmarks',
    'Written by `npm run bench`: do not edit. Every ratio (×) compares two things that were measured on the same machine in the same run, in alternating rounds ' +
      '(A B, B A, …). It is the median over the rounds, with the smallest and the largest beside it. Absolute times depend more on the machine than on the code.',
    'Service, client and peers are separate processes on 127.0.0.1. Before anything is timed, images are decoded, and those of two engines are compared ' +
      'as thumbnails, because engines draw letters differently. A first image is checked after it is timed. ' +
      'Each link has a text that was never used before, from a seed. `npm run bench <words>` measures the scenarios that the words name; ' +
      '`quick` only checks that everything works, `long` takes the time that the memory scenario needs.',
    describeOccasion(occasion, machine),
    '## Targets',
    barTable(results, occasion),
    ...peerTable(results, occasion),
    '## Versions',
    Object.entries(machine.packages)
      .map(([name, version]) => `\`${name}\` ${version}`)
      .join(', ') + '.',
  ];
  return `${parts.join('\n\n')}\n`;
}

function barTable(results: Results, newest: Occasion): string {
  const rows = (Object.keys(budgets) as BudgetId[]).map((id) => {
    const budget: Budget = budgets[id];
    const head = [budget.claim + whyOf(budget), formatBar(budget)];
    const found = results.measurements[id];
    if (found === undefined) return [...head, notMeasured, ''];
    const isMissed = isReached(budget, found.reached) === false;
    const reached = `${formatReached(budget, found.reached)}${isMissed ? ' (missed)' : ''}`;
    return [...head, `**${reached}**`, found.how + since(found, newest)];
  });
  return table(['scenario', 'target', 'reached', 'details'], rows);
}

function peerTable({ peers }: Results, newest: Occasion): string[] {
  const title = '## Alternatives';
  const [own] = peers?.rows ?? [];
  if (peers === undefined || own === undefined) {
    return [title, 'Not measured; `npm run bench peers` does.'];
  }
  const cell = (perSecond: number | undefined, platenPerSecond: number | undefined): string => {
    if (perSecond === undefined || platenPerSecond === undefined) return notMeasured;
    const number = formatNumber(perSecond);
    return perSecond === platenPerSecond
      ? number
      : `${number} (1 : ${formatNumber(platenPerSecond / perSecond)})`;
  };
  const rows = peers.rows.map(({ name, jpegPerSecond, pngPerSecond }) => [
    name,
    cell(jpegPerSecond, own.jpegPerSecond),
    cell(pngPerSecond, own.pngPerSecond),
  ]);
  return [
    title,
    'The sample `welcome-banner` (1200 × 630: photo, gradient, mark, texts in two families, button with a shadow) with another name in each image, ' +
      `images a second at the same concurrency, one after the other, not in alternation${since(peers, newest)}. Platen answers links over HTTP, and its client uses the same cores; the others draw in-process, without a server. ` +
      '“Tuned” is skia-canvas with the photo scaled beforehand and 4:2:0 JPEG.',
    table(['', 'JPEG', 'PNG'], rows),
  ];
}

function describeOccasion({ date, revision }: Occasion, machine: Machine): string {
  const { processor, cores, memoryBytes, system, node } = machine;
  const gigabytes = Math.round(memoryBytes / 2 ** 30);
  return `Measured on ${dayOf(date)} at revision ${revision}: ${processor}, ${cores} cores, ${gigabytes} GiB, ${system}, Node ${node}.`;
}

function newestOccasion({ measurements, peers }: Results): Occasion {
  const occasions = [...Object.values(measurements), ...(peers === undefined ? [] : [peers])];
  let newest: Occasion | undefined;
  for (const each of occasions) if (newest === undefined || each.date > newest.date) newest = each;
  return newest ?? { date: 'never', revision: 'none' };
}

/** Names the date of a line that is older than the head of the page. */
function since({ date, revision }: Occasion, newest: Occasion): string {
  const day = dayOf(date);
  if (revision === newest.revision && day === dayOf(newest.date)) return '';
  return ` (older: measured on ${day} at ${revision})`;
}

function dayOf(date: string): string {
  return date.slice(0, 'YYYY-MM-DD'.length);
}

function whyOf({ why }: Budget): string {
  return why === undefined ? '' : ` (no bar: ${why})`;
}

function formatReached({ unit }: Budget, reached: number): string {
  return `${formatNumber(reached)}${unit}`;
}

function formatBar({ bar, unit }: Budget): string {
  if (bar === undefined) return '–';
  const sign = { 'at least': '≥ ', 'at most': '≤ ', exactly: 'exactly ' }[bar.is];
  return `${sign}${formatNumber(bar.value)}${unit}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
