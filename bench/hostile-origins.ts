/**
 * Measures what hostile image origins cost all other users. It compares the latency of ordinary, unique renders alone
 * with that beside links to origins that stall, drip, reset, redirect forever or send garbage, or to slow drawings.
 *
 * `node bench/hostile-origins.ts [quick|normal|long]`. The service, the ordinary client and the hostile side are
 * separate processes. The origins have addresses from 127.0.0.2 on, which only Linux has without configuration.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { checkImage } from './harness/check-image.ts';
import { endChild, startChild } from './harness/children.ts';
import { median } from './harness/compare-rounds.ts';
import { formatNumber } from './harness/format-number.ts';
import type { Service } from './harness/service.ts';
import { startService } from './harness/service.ts';
import type { HostileAnswers, HostileOrder, HostilePorts } from './programs/hostile-side.ts';
import type { Effort, Measurement, Scenario } from './scenario.ts';
import { createRandom } from './stages/random-text.ts';

type Attack = Exclude<HostileOrder['attack'], 'none'>;

/** Ordinary renders a second: some are always in progress, and none waits for another on one free core. */
const ordinaryRate = 40;
const roundsOf: Record<Effort, number> = { quick: 1, normal: 5, long: 11 };
const secondsOf: Record<Effort, number> = { quick: 2, normal: 5, long: 8 };

/** Time until all hostile links have started, and until the last of their fetches has reached its limit of 5 s. */
const settleMs = 3500;
const quietMs = 5500;

const budgetOf = { origins: 'hostile-origins', drawings: 'hostile-drawings' } as const;

export const hostileOrigins: Scenario = {
  name: 'hostile',
  words: ['origins', 'svg', 'images'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const hostile = await startHostile();
    const { http, garbage } = hostile.ports;
    const service = await startService({
      environment: {
        PLATEN_IMAGES_ALLOWED_ADDRESSES: '127.0.0.0/8',
        PLATEN_IMAGES_ALLOWED_PORTS: `${http},${garbage}`,
      },
    });
    try {
      await checkOrdinary(service);
      await measureOrdinary(service.base, 2);
      return {
        measurements: [
          await compare('origins', service, hostile, effort),
          await compare('drawings', service, hostile, effort),
        ],
      };
    } finally {
      await service.close();
      await hostile.stop();
    }
  },
};

/** The hostile process as this process sees it. */
interface HostileSide {
  ports: HostilePorts;
  /** Sends an order, and resolves to the results of the previous one. */
  order(order: HostileOrder): Promise<HostileAnswers>;
  stop(): Promise<void>;
}

async function startHostile(): Promise<HostileSide> {
  const child = startChild(process.execPath, ['bench/programs/hostile-side.ts'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [ports] = (await once(child, 'message')) as [HostilePorts];
  return {
    ports,
    async order(order) {
      child.send(order);
      const [answers] = (await once(child, 'message')) as [HostileAnswers];
      return answers;
    },
    stop: () => endChild(child),
  };
}

/**
 * Alternates both within one run, and the starting side from round to round, because other work on the machine varies.
 * The ratio is that of the latencies of all rounds together: the tail of one round is a handful of renders.
 */
async function compare(
  attack: Attack,
  service: Service,
  hostile: HostileSide,
  effort: Effort,
): Promise<Measurement> {
  const beside: number[][] = [];
  const alone: number[][] = [];
  const answers = new Map<number, number>();
  const { base } = service;
  const seconds = secondsOf[effort];
  const attacked = async (): Promise<void> => {
    await hostile.order({ attack, base });
    await sleep(settleMs);
    beside.push(await measureOrdinary(base, seconds));
    for (const [status, times] of await hostile.order({ attack: 'none', base }))
      answers.set(status, (answers.get(status) ?? 0) + times);
    await sleep(quietMs);
  };
  for (let round = 0; round < roundsOf[effort]; round += 1) {
    if (round % 2 === 0) await attacked();
    alone.push(await measureOrdinary(base, seconds));
    if (round % 2 === 1) await attacked();
  }
  checkHostile(answers);
  const ratios = beside.map((each, round) => p99(each) / p99(alone[round] ?? []));
  const [subject, peer] = [p99(beside.flat()), p99(alone.flat())];
  const statuses = [...answers].map(([status, times]) => `${formatNumber(times)} × ${status}`);
  return {
    budget: budgetOf[attack],
    reached: subject / peer,
    how:
      `${formatNumber(subject)} ms against ${formatNumber(peer)} ms alone, medians ` +
      `${formatNumber(median(beside.flat()))} and ${formatNumber(median(alone.flat()))} ms; ` +
      `${formatNumber(alone.flat().length)} renders each in ${ratios.length} rounds in turn, ratio of one round ` +
      `${formatNumber(Math.min(...ratios))} to ${formatNumber(Math.max(...ratios))}; hostile links answered ${statuses.join(', ')}`,
  };
}

/** Returns a new name for each render, the same sequence in each run. */
const random = createRandom(1);
const nextPath = (): string => `/v1/render/hello.png?name=${Math.floor(random() * 1e15)}`;

async function checkOrdinary({ base }: Service): Promise<void> {
  const answer = await fetch(base + nextPath());
  const image = new Uint8Array(await answer.arrayBuffer());
  await checkImage('The service', image, { format: 'png', width: 400, height: 200 });
}

/** Returns latencies in ms of ordinary renders at a fixed rate. Throws if one is not answered with an image. */
async function measureOrdinary(base: string, seconds: number): Promise<number[]> {
  const latencies: number[] = [];
  const options: autocannon.Options = {
    url: base,
    connections: 8,
    pipelining: 1,
    overallRate: ordinaryRate,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, path: nextPath() }) }],
  };
  const { non2xx, errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const load = autocannon(options, (error, result) => {
      if (error instanceof Error) reject(error);
      else resolve(result);
    });
    load.on('response', (_client, status, _bytes, ms) => {
      if (status === 200) latencies.push(ms);
    });
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} ordinary renders failed.`);
  return latencies;
}

/** A hostile link must be refused by name or for lack of capacity: it returns no image, and breaks nothing. */
function checkHostile(answers: ReadonlyMap<number, number>): void {
  const others = [...answers.keys()].filter((status) => status !== 400 && status !== 503);
  if (others.length > 0) throw new Error(`A hostile link was answered with ${others.join(', ')}.`);
  if (answers.get(400) === undefined) throw new Error('No hostile link was refused by name.');
}

function p99(latencies: readonly number[]): number {
  const sorted = latencies.toSorted((x, y) => x - y);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const effort = (['quick', 'long'] as const).find((each) => each === process.argv[2]) ?? 'normal';
  const { measurements } = await hostileOrigins.run(effort);
  for (const { budget, reached, how } of measurements)
    console.log(`${budget}: ${formatNumber(reached)} (${how})`);
}
