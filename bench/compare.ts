/**
 * Compares the CPU time and the throughput of two checkouts, both installed and built:
 * `node bench/compare.ts <before> <after> [rounds] [word in the names of the cases]`. Linux only.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareRounds, summarize } from './harness/compare-rounds.ts';
import { setTreePriority, treeCpuMs } from './harness/cpu-time.ts';
import { fetchAnswer } from './harness/fetch-answer.ts';
import { formatNumber } from './harness/format-number.ts';
import { askAll } from './harness/keep-alive-load.ts';
import { startService } from './harness/service.ts';
import type { Service } from './harness/service.ts';
import { linkOf, shortWordOf } from './harness/values.ts';
import { runWrk } from './harness/wrk.ts';

const threadCount = 2;
/** Three a process: fewer leave processes idle, and with three no request waits for long. */
const connections = 6;
const wrkSeconds = 1;

interface Round {
  requests: number;
  cpuMs: number;
  ms: number;
}

interface Case {
  name: string;
  /** One round; `round` counts from 0 for each service. */
  run(service: Service, round: number): Promise<number>;
}

/** A case of links that were never requested before: `amount` a round. */
function uniqueLinks(name: string, amount: number, link: (number: number) => string): Case {
  return {
    name,
    async run({ base }, round) {
      const paths = Array.from({ length: amount }, (_, index) => link(round * amount + index));
      await askAll(base, connections, paths);
      return amount;
    },
  };
}

const hitLink = linkOf('welcome-banner', 0, '.jpg');

const cases: readonly Case[] = [
  uniqueLinks(
    'welcome-banner JPEG, one short word',
    200,
    (number) => `/v1/render/welcome-banner.jpg?name=${shortWordOf(number)}`,
  ),
  uniqueLinks('welcome-banner JPEG', 150, (number) => linkOf('welcome-banner', number, '.jpg')),
  uniqueLinks('product-card PNG', 150, (number) => linkOf('product-card', number, '.png')),
  {
    name: 'hits',
    run: async ({ base }) =>
      wrkSeconds * (await runWrk({ url: base + hitLink, seconds: wrkSeconds })),
  },
  {
    name: '304',
    async run({ base }) {
      const { headers } = await fetchAnswer(base + hitLink);
      const options = { 'If-None-Match': headers.get('etag') ?? '' };
      return (
        wrkSeconds * (await runWrk({ url: base + hitLink, seconds: wrkSeconds, headers: options }))
      );
    },
  },
];

async function start(folder: string): Promise<Service> {
  const checkout = resolve(folder);
  if (!['dist', '.build'].some((name) => existsSync(join(checkout, name))))
    throw new Error(`${folder} is not built: npm run build`);
  // On a busy machine, late renders would be refused.
  const environment = { PLATEN_RENDER_TIMEOUT_MS: '60000' };
  const service = await startService({ checkout, threadCount, cacheMegabytes: 64, environment });
  // The service warms up as soon as no request waits.
  await sleep(3000);
  // Render hosts have the lowest priority, which matters beside other work on the machine.
  if (process.getuid?.() === 0) setTreePriority(service.pid, 0);
  return service;
}

async function measure(each: Case, service: Service, round: number): Promise<Round> {
  const fromCpuMs = treeCpuMs(service.pid);
  const fromMs = performance.now();
  const requests = await each.run(service, round);
  const ms = performance.now() - fromMs;
  return { requests, cpuMs: treeCpuMs(service.pid) - fromCpuMs, ms };
}

/**
 * Requests before the first one that counts. V8 compiles during the first 1,000 renders of a process, and after 1,500
 * requests its compiler still takes a tenth of all CPU time (measured).
 */
const warmUpRequests = 6000;

async function compareCase(
  each: Case,
  before: Service,
  after: Service,
  rounds: number,
): Promise<string> {
  const perSecond = new Map<Service, number[]>([
    [before, []],
    [after, []],
  ]);
  let firstRound = 0;
  const side =
    (service: Service) =>
    async (round: number): Promise<number> => {
      const { requests, cpuMs, ms } = await measure(each, service, round + firstRound);
      perSecond.get(service)?.push((requests / ms) * 1000);
      return cpuMs / requests;
    };
  for (let requests = 0; requests < warmUpRequests; firstRound += 1) {
    const counts = await Promise.all(
      [before, after].map((service) => each.run(service, firstRound)),
    );
    requests += Math.min(...counts);
  }
  const cpu = await compareRounds(rounds, side(after), side(before));
  const pace = summarize(perSecond.get(after) ?? [], perSecond.get(before) ?? []);
  return (
    `${each.name}: CPU time ${cpu.ratio.toFixed(3)} (${cpu.low.toFixed(3)} to ${cpu.high.toFixed(3)}), ` +
    `${formatNumber(cpu.peer * 1000)} → ${formatNumber(cpu.subject * 1000)} µs a request; ` +
    `requests a second ${pace.ratio.toFixed(2)}, ${formatNumber(pace.peer)} → ${formatNumber(pace.subject)}`
  );
}

const [beforeFolder, afterFolder, roundsText = '15', word = ''] = process.argv.slice(2);
if (beforeFolder === undefined || afterFolder === undefined)
  throw new Error('Give the folders of two checkouts: node bench/compare.ts <before> <after>');
const before = await start(beforeFolder);
const after = await start(afterFolder);
console.log(`Ratios of after to before, median (lowest to highest) of ${roundsText} rounds each:`);
for (const each of cases) {
  if (!each.name.includes(word)) continue;
  console.log(await compareCase(each, before, after, Number(roundsText)));
}
await before.close();
await after.close();
