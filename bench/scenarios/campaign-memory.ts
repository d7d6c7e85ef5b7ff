/** Campaigns: the memory that the proof of a large list takes, to its end, and whether its result is right. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  campaignProcesses,
  deleteCampaign,
  proportionalBytes,
  readCampaign,
  readFaultyRows,
  startCampaign,
  uniqueList,
} from '../harness/campaign.ts';
import type { CampaignState } from '../harness/campaign.ts';
import { formatNumber } from '../harness/format-number.ts';
import { peakBytesOf, resetPeak } from '../harness/peak-memory.ts';
import type { Service } from '../harness/service.ts';
import { startService, waitUntilWarm } from '../harness/service.ts';
import type { Effort, Scenario } from '../scenario.ts';

const threadCount = 2;
const template = 'event-ticket';
const rowsOf: Record<Effort, number> = { quick: 4000, normal: 1_000_000 };

/** Each replaces a sound row. */
const faults: readonly (readonly [code: string, line: string])[] = [
  ['UNMERGED', 'tag@example.com,*|FNAME|*'],
  ['EMPTY', 'empty@example.com,'],
  ['DUPLICATE', 'person0@example.com,Ada Lovelace'],
  ['BAD_ROW', 'three@example.com,cells,here'],
  ['GLYPH_MISSING', 'glyph@example.com,Ada \u{13000}'],
];
const faultsMax = 60;

const smallBytes = 10_000_000;

export const proofMemory: Scenario = {
  name: 'campaign-memory',
  words: ['campaigns', 'memory'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const rows = rowsOf[effort];
    const service = await startService({ threadCount });
    await waitUntilWarm(service);
    const { list, expected } = plantedList(rows);
    const idleBytes = proportionalBytes(service.pid);
    resetPeak(service.pid);
    const startedMs = performance.now();
    const { id } = await startCampaign(service, template, list);
    const peaks = new Peaks(service, idleBytes);
    const campaign = await watch(service, id, peaks);
    const seconds = (performance.now() - startedMs) / 1000;
    await requireFaults(service, campaign, expected);
    await deleteCampaign(service, id);
    await service.close();
    const how =
      `${formatNumber(rows)} rows of \`${template}\` to the end in ${formatNumber(seconds)} s, “${String(campaign.counts.verdict)}”; ` +
      `${expected.size} planted faults found with their rows, and nothing else but long names; ${peaks.text()}`;
    return {
      measurements: [{ budget: 'proof-memory', reached: toMegabytes(peaks.sumBytes), how }],
    };
  },
};

/** The list, and the code of each row that has a fault. */
function plantedList(rows: number): { list: string; expected: Map<number, string> } {
  const lines = uniqueList(template, rows).trimEnd().split('\n');
  const expected = new Map<number, string>();
  const every = Math.floor(rows / (faultsMax + 1));
  for (let index = 1; index <= faultsMax; index += 1) {
    const [code, line] = faults[index % faults.length] ?? ['', ''];
    // The first line has the names of the columns.
    const row = index * every;
    lines[row] = code === 'DUPLICATE' ? line : line.replace('@', `${index}@`);
    expected.set(row, code);
  }
  return { list: `${lines.join('\n')}\n`, expected };
}

/** Peaks of a run: read every second, since a render host cannot be asked for its peak of shared pages. */
class Peaks {
  /** Of the rise of the service's process and the processes of campaigns together. */
  sumBytes = 0;
  readonly #service: Service;
  readonly #idleBytes: number;
  readonly #proportional = new Map<number, number>();
  readonly #resident = new Map<number, number>();
  readonly #course: number[] = [];

  constructor(service: Service, idleBytes: number) {
    this.#service = service;
    this.#idleBytes = idleBytes;
  }

  read(): void {
    const { pid } = this.#service;
    let sum = Math.max(0, proportionalBytes(pid) - this.#idleBytes);
    raise(this.#proportional, pid, sum);
    raise(this.#resident, pid, peakBytesOf(pid));
    for (const each of campaignProcesses()) {
      const bytes = proportionalBytes(each);
      sum += bytes;
      raise(this.#proportional, each, bytes);
      raise(this.#resident, each, peakBytesOf(each));
    }
    this.sumBytes = Math.max(this.sumBytes, sum);
    this.#course.push(sum);
  }

  text(): string {
    const each = [...this.#proportional].map(([pid, bytes]) => {
      const name = pid === this.#service.pid ? 'rise of the service' : 'a render host';
      return { name, bytes, residentBytes: this.#resident.get(pid) ?? 0 };
    });
    // A render host has a small parent, which limits it.
    const processes = each
      .filter(({ residentBytes }) => residentBytes > smallBytes)
      .map(({ name, bytes, residentBytes }) => {
        return `${name} ${toMegabytes(bytes)} MB (RSS ${toMegabytes(residentBytes)} MB)`;
      });
    const course = Array.from({ length: 10 }, (_, part) => {
      const index = Math.floor(((part + 1) * this.#course.length) / 10) - 1;
      return toMegabytes(this.#course[Math.max(0, index)] ?? 0);
    });
    return `peaks of PSS: ${processes.join(', ')}; the sum in ten parts of the time ${course.join(', ')} MB`;
  }
}

function raise(peaks: Map<number, number>, pid: number, bytes: number): void {
  peaks.set(pid, Math.max(peaks.get(pid) ?? 0, bytes));
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

/** Resolves at the end of the run. Rejects for one that fails. */
async function watch(service: Service, id: string, peaks: Peaks): Promise<CampaignState> {
  for (;;) {
    const campaign = await readCampaign(service, id);
    if (campaign.state === 'failed') throw new Error(`The campaign failed: ${campaign.error}`);
    peaks.read();
    if (campaign.state === 'finished') return campaign;
    await sleep(1000);
  }
}

/** Throws if the proof has found other rows or codes than those that were planted; long names may be shrunk. */
async function requireFaults(
  service: Service,
  { id, done, rows }: CampaignState,
  expected: ReadonlyMap<number, string>,
): Promise<void> {
  const found = new Map(
    (await readFaultyRows(service, id)).map(({ row, problems }) => [
      row,
      problems.map(({ code }) => code).join(' '),
    ]),
  );
  // Some of the full names are longer than their line.
  const wrong = [...new Set([...expected.keys(), ...found.keys()])].filter(
    (row) => (expected.get(row) ?? 'TEXT_SHRUNK') !== found.get(row),
  );
  if (done === rows && wrong.length === 0) return;
  const details = wrong
    .slice(0, 10)
    .map((row) => `row ${row}: planted ${expected.get(row)}, found ${found.get(row)}`);
  throw new Error(`${done} of ${rows} rows are done. ${details.join('; ')}`);
}
