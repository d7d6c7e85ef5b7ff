/**
 * Two organizations: one floods the service; the other requests cheap images at a steady rate and must not be affected.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runChild, temporaryFolder } from '../harness/children.ts';
import { describeLatencies, sendFlood } from '../harness/flood.ts';
import { formatNumber } from '../harness/format-number.ts';
import { nameOf } from '../harness/names.ts';
import { publishTemplate } from '../harness/publish.ts';
import type { Service } from '../harness/service.ts';
import { startService } from '../harness/service.ts';
import type { OverloadAnswers } from '../programs/overload-side.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';

const secondsOf: Record<Effort, number> = { quick: 5, normal: 10 };

/** Links a second of the unaffected organization, for each of its templates. */
const quietPerSecond = 20;
const floodFactor = 5;
/** Links a second to hosts that hang: more than the service fetches at a time. */
const hangingPerSecond = 100;
/** Expensive renders by which their capacity is measured. */
const capacityAmount = 6;
const sides = { flood: 'flood', quiet: 'quiet' } as const;

/**
 * Blurred texts of the whole canvas that differ between links, so that nothing of them is cached. 0.5 to 1 s on a core.
 */
const expensive = {
  format: 1,
  name: 'expensive',
  width: 1200,
  height: 630,
  background: '#ffffff',
  output: { format: 'jpeg' },
  variables: [{ name: 'name', type: 'text', value: 'Alex' }],
  layers: Array.from({ length: 3 }, (_, index) => ({
    id: `text-${index}`,
    type: 'text',
    x: 20 + 20 * index,
    y: 30 + 40 * index,
    width: 1100,
    height: 200,
    text: '{{name}}',
    fontSize: 160,
    blur: 40,
  })),
};

const image = readFileSync(join(import.meta.dirname, '../../data/fallback/card.png'));

const photoTemplate = {
  format: 1,
  name: 'photo',
  width: 400,
  height: 200,
  background: '#ffffff',
  variables: [
    { name: 'photo', type: 'image', value: `data:image/png;base64,${image.toString('base64')}` },
  ],
  layers: [{ id: 'photo', type: 'image', x: 0, y: 0, width: 400, height: 200, src: '{{photo}}' }],
};

const plain = {
  ...JSON.parse(readFileSync(join(import.meta.dirname, '../../data/templates/hello.json'), 'utf8')),
  name: 'plain',
};

export const fairness: Scenario = {
  name: 'fairness',
  words: ['organizations', 'fair'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const origin = await startOrigin();
    const dataDirectory = join(temporaryFolder(), 'data');
    const service = await startService({
      dataDirectory,
      environment: {
        PLATEN_IMAGES_ALLOWED_ADDRESSES: '127.0.0.0/8',
        PLATEN_IMAGES_ALLOWED_PORTS: String(origin.port),
      },
    });
    try {
      for (const side of Object.values(sides)) {
        const key = await createOrganization(side, dataDirectory);
        for (const document of [expensive, photoTemplate, plain]) {
          await publishTemplate(service, key, `${side}-${document.name}`, document);
        }
      }
      return {
        measurements: [
          ...(await measureFlood('expensive', service, effort)),
          ...(await measureFlood('cheap', service, effort)),
          await measureHanging(service, origin.port, effort),
        ],
      };
    } finally {
      await service.close();
      origin.close();
    }
  },
};

/** Latencies and refusals of the quiet organization, alone and beside the other one's flood. */
async function measureFlood(
  kind: 'expensive' | 'cheap',
  service: Service,
  effort: Effort,
): Promise<Measurement[]> {
  const { base } = service;
  const seconds = secondsOf[effort];
  const path =
    kind === 'expensive'
      ? `${sides.flood}-expensive?_scale=3&name={name}`
      : `${sides.flood}-plain?name={name}`;
  const pattern = `/v1/render/${path}`;
  const capacity = await measureCapacity(
    base,
    pattern,
    kind === 'expensive' ? capacityAmount : 500,
  );
  const quiet = (from: number): Promise<OverloadAnswers> =>
    sendFlood({
      base,
      perSecond: quietPerSecond,
      seconds,
      links: { pattern: `/v1/render/${sides.quiet}-plain?name={name}`, from },
    });
  const quietAmount = seconds * quietPerSecond;
  const alone = await quiet(nextNumbers(quietAmount));
  const perSecond = capacity * floodFactor;
  // The flood starts before the first of the other's links, and ends after the last.
  const floodSeconds = seconds + 4;
  const flooding = sendFlood({
    base,
    perSecond,
    seconds: floodSeconds,
    links: { pattern, from: nextNumbers(Math.ceil(perSecond * floodSeconds)) },
  });
  const besideIt = sleep(2000).then(() => quiet(nextNumbers(quietAmount)));
  const [beside, flood] = await Promise.all([besideIt, flooding]);
  const how =
    `${formatNumber(perSecond)} ${kind} links a second of the other (${describe(flood)}), ` +
    `capacity ${formatNumber(capacity)}/s; ${describe(beside)}; alone ${describe(alone)}`;
  return [
    { budget: `fair-${kind}-p99`, reached: beside.byStatus[200]?.p99 ?? Infinity, how },
    { budget: `fair-${kind}-refused`, reached: refusedOf(beside), how: `of ${beside.sent}` },
  ];
}

/** Refusals of an organization's links while another one's lead to paths of the same image host that never answer. */
async function measureHanging(
  service: Service,
  port: number,
  effort: Effort,
): Promise<Measurement> {
  const { base } = service;
  const seconds = secondsOf[effort];
  const link = (side: string, kind: string): string =>
    `/v1/render/${side}-photo?photo=${encodeURIComponent(`http://127.0.0.1:${port}/${kind}/`)}{number}`;
  const hanging = sendFlood({
    base,
    perSecond: hangingPerSecond,
    seconds: seconds + 4,
    links: {
      pattern: link(sides.flood, 'hang'),
      from: nextNumbers(hangingPerSecond * (seconds + 4)),
    },
  });
  const quiet = async (pattern: string): Promise<OverloadAnswers> => {
    const from = nextNumbers(seconds * quietPerSecond);
    await sleep(4000);
    return sendFlood({ base, perSecond: quietPerSecond, seconds, links: { pattern, from } });
  };
  const [images, plains, hung] = await Promise.all([
    quiet(link(sides.quiet, 'image')),
    quiet(`/v1/render/${sides.quiet}-plain?name={name}`),
    hanging,
  ]);
  return {
    budget: 'fair-hanging-refused',
    reached: refusedOf(images) + refusedOf(plains),
    how: `${hangingPerSecond} hanging links a second (${describe(hung)}); images from the same host ${describe(images)}; plain ${describe(plains)}`,
  };
}

async function measureCapacity(base: string, pattern: string, amount: number): Promise<number> {
  const run = async (count: number): Promise<number> => {
    const startedMs = performance.now();
    const from = nextNumbers(count);
    const links = Array.from({ length: count }, (_, index) => base + linkAt(pattern, from + index));
    const next = async (): Promise<void> => {
      for (let link = links.pop(); link !== undefined; link = links.pop()) {
        const answer = await fetch(link);
        await answer.arrayBuffer();
        // A cold template is refused or late until its costs are known.
        if (answer.status >= 503) links.unshift(link);
        else if (answer.status !== 200) throw new Error(`${link}: ${answer.status}`);
      }
    };
    await Promise.all([next(), next(), next(), next()]);
    return (count / (performance.now() - startedMs)) * 1000;
  };
  await run(amount);
  return run(amount);
}

function linkAt(pattern: string, number: number): string {
  return pattern.replace('{name}', encodeURIComponent(nameOf(number)));
}

let numbers = 0;

/** Returns the first of a range of numbers that no other order uses. */
function nextNumbers(amount: number): number {
  numbers += amount;
  return numbers - amount;
}

function refusedOf({ sent, byStatus }: OverloadAnswers): number {
  return sent - (byStatus[200]?.answers ?? 0);
}

function describe({ sent, byStatus, failures }: OverloadAnswers): string {
  const parts = Object.entries(byStatus).map(
    ([status, answers]) =>
      `${formatNumber(answers.answers)} × ${status} ${describeLatencies(answers)}`,
  );
  return `${sent} links: ${parts.join('; ')}${failures > 0 ? `; ${failures} failed` : ''}`;
}

/** Creates an organization beside the running service, and returns its first key. */
async function createOrganization(name: string, dataDirectory: string): Promise<string> {
  const output = await runChild('env', [
    `PLATEN_DATA_DIR=${dataDirectory}`,
    process.execPath,
    'dist/platen.js',
    'org',
    'create',
    name,
    '--json',
  ]);
  return (JSON.parse(output) as { key: string }).key;
}

/** Serves one image at every path below `/image/`; never answers any other path. */
async function startOrigin(): Promise<{ port: number; close(): void }> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/image/') === true) response.end(image);
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
