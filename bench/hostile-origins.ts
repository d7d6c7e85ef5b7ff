/**
 * Measures what hostile image origins cost everybody else: the latency of ordinary, unique renders alone,
 * beside links to origins that stall, drip, reset, redirect for ever or speak garbage, and beside SVG bombs.
 *
 * `node bench/hostile-origins.ts [seconds]`: seconds of one phase, 10 unless given. The service, the
 * ordinary client and the hostile side (origins and links to them) are a process each. Each origin is a host of its own (127.0.0.2 …, so Linux
 * only), because a host that keeps failing is soon not asked any more and would cost nothing.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

/** Ordinary renders a second: some are always under way, and none waits for another on one free core. */
const ordinaryRate = 40;
const rounds = 3;

const phases = ['alone', 'origins', 'bombs'] as const;
type Phase = (typeof phases)[number];

/**
 * Hostile links under way at any time: as many as the service fetches at once; of bombs a few, because
 * more are only refused by the queue in front of the processes that draw them.
 */
const linksOf = { origins: 64, bombs: 4 } as const;
/** Links start at different times within this, so that their time-outs do not come in one burst. */
const spreadMs = 3000;

const kinds = ['stall', 'drip', 'reset', 'loop', 'garbage'] as const;

interface Ports {
  http: number;
  garbage: number;
}

/** One level of this costs what the levels below it cost, ten times; a picture in a picture hides that from the check. */
function svgBomb(seed: string): string {
  const levels = Array.from({ length: 8 }, (_, depth) => {
    const uses = `<use href="#a${depth}"/>`.repeat(10);
    return `<g id="a${depth + 1}">${uses}</g>`;
  });
  const rect = '<rect id="a0" width="10" height="10"/>';
  const defs = `<defs>${rect}${levels.join('')}</defs><use href="#a8"/>`;
  const inner = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${defs}</svg>`;
  const address = `data:image/svg+xml;base64,${Buffer.from(inner).toString('base64')}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><desc>${seed}</desc><image width="9" height="9" href="${address}"/></svg>`;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const [, kind = '', seed = ''] = (request.url ?? '').split('/');
  if (kind === 'bomb') response.end(svgBomb(seed));
  else if (kind === 'reset') request.socket.resetAndDestroy();
  else if (kind === 'loop') response.writeHead(302, { location: `/loop/${seed}x` }).end();
  else if (kind === 'drip') {
    response.write('\x89PNG\r\n\x1a\n');
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  }
  // Anything else stalls: it is never answered.
}

/** The other side, a process of its own: plays the origins and sends the links that lead to them. */
async function playHostile(): Promise<void> {
  const http = createHttpServer(answer);
  const garbage = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end('This is no TLS. '.repeat(100));
  });
  const ports: Ports = { http: await listen(http), garbage: await listen(garbage) };
  let end = new AbortController();
  let attacking: Promise<Map<number, number>> | undefined;
  process.on('disconnect', () => process.exit(0));
  const obey = async ({ phase, port }: Order): Promise<void> => {
    end.abort();
    const statuses = await attacking;
    attacking = undefined;
    process.send?.([...(statuses ?? [])]);
    if (phase === 'alone') return;
    end = new AbortController();
    attacking = attack(port, linksOf[phase], hostileSource(phase, ports), end.signal);
  };
  process.on('message', (order: Order) => void obey(order));
  process.send?.(ports);
}

/** What the other side does until the next order. */
interface Order {
  phase: Phase;
  port: number;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  return port;
}

/** The other side as this process sees it. */
interface Hostile {
  ports: Ports;
  /** Gives an order, and resolves to how many links of the last one were answered, by status. */
  order(order: Order): Promise<[status: number, times: number][]>;
  stop(): void;
}

async function startHostile(): Promise<Hostile> {
  const child = fork(fileURLToPath(import.meta.url), ['hostile']);
  const [ports] = (await once(child, 'message')) as [Ports];
  return {
    ports,
    async order(order) {
      child.send(order);
      const [statuses] = (await once(child, 'message')) as [[number, number][]];
      return statuses;
    },
    stop: () => child.disconnect(),
  };
}

async function startService(ports: Ports): Promise<{ port: number; stop: () => Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'platen-bench-'));
  const port = await freePort();
  const repository = fileURLToPath(new URL('..', import.meta.url));
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: repository,
    env: {
      PLATEN_HOST: '127.0.0.1',
      PLATEN_PORT: String(port),
      PLATEN_DATA_DIR: directory,
      PLATEN_IMAGES_ALLOWED_ADDRESSES: '127.0.0.0/8',
      PLATEN_IMAGES_ALLOWED_PORTS: `${ports.http},${ports.garbage}`,
    },
    stdio: 'ignore',
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(directory, { recursive: true, force: true });
  };
  const giveUpAtMs = performance.now() + 30_000;
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (ready?.status === 200) return { port, stop };
    if (performance.now() > giveUpAtMs) {
      await stop();
      throw new Error('the service did not become ready within 30 s');
    }
    await sleep(100);
  }
}

/** Keeps so many hostile links under way until `signal`; resolves to how many of them were answered, by status. */
async function attack(
  port: number,
  links: number,
  sourceOf: (count: number) => string,
  signal: AbortSignal,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let count = Date.now();
  const keepAsking = async (_: unknown, link: number): Promise<void> => {
    await sleep((spreadMs * link) / links);
    while (!signal.aborted) {
      const source = encodeURIComponent(sourceOf((count += 1)));
      const url = `http://127.0.0.1:${port}/v1/render/product-card?product=${source}`;
      const status = await fetch(url, { signal }).then(
        async (reply) => {
          await reply.arrayBuffer();
          return reply.status;
        },
        () => undefined,
      );
      if (status !== undefined) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: links }).map(keepAsking));
  return statuses;
}

function hostileSource(phase: Phase, ports: Ports): (count: number) => string {
  return (count) => {
    const kind = phase === 'bombs' ? 'bomb' : (kinds[count % kinds.length] ?? 'stall');
    const host = `127.0.${count % 200}.${2 + (count % 250)}`;
    return kind === 'garbage'
      ? `https://${host}:${ports.garbage}/${count}`
      : `http://${host}:${ports.http}/${kind}/${count}`;
  };
}

/** Ordinary renders, each of another name, at a fixed rate. */
async function measure(port: number, seconds: number): Promise<autocannon.Result> {
  let count = 0;
  return autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: 8,
    pipelining: 1,
    overallRate: ordinaryRate,
    duration: seconds,
    requests: [
      {
        setupRequest: (request) => {
          count += 1;
          return {
            ...request,
            path: `/v1/render/hello.png?name=${process.hrtime.bigint()}-${count}`,
          };
        },
      },
    ],
  });
}

async function run(seconds: number): Promise<void> {
  const hostile = await startHostile();
  const service = await startService(hostile.ports);
  const { port } = service;
  const p99: Record<Phase, number[]> = { alone: [], origins: [], bombs: [] };
  try {
    await measure(port, 2);
    for (let round = 0; round < rounds; round += 1) {
      for (const phase of phases) {
        await hostile.order({ phase, port });
        if (phase !== 'alone') await sleep(spreadMs);
        const { latency, requests, non2xx } = await measure(port, seconds);
        const answers = await hostile.order({ phase: 'alone', port });
        const statuses = answers.map(([status, times]) => `${times} × ${status}`).join(', ');
        p99[phase].push(latency.p99);
        console.log(
          `${phase.padEnd(8)} p50 ${latency.p50} ms, p99 ${latency.p99} ms, longest ${latency.max} ms; ` +
            `${requests.total} ordinary renders, ${non2xx} failed; hostile: ${statuses || 'none'}`,
        );
      }
    }
  } finally {
    await service.stop();
    hostile.stop();
  }
  // Each round against its own quiet phase, and the middle one: other work on the machine comes and goes.
  for (const phase of ['origins', 'bombs'] as const) {
    const ratios = p99[phase].map((ms, round) => ms / (p99.alone[round] ?? ms));
    const median = ratios.toSorted((x, y) => x - y)[Math.floor(ratios.length / 2)] ?? NaN;
    console.log(`p99 beside hostile ${phase} / alone: ${median.toFixed(2)}`);
  }
}

if (process.argv[2] === 'hostile') await playHostile();
else await run(Number(process.argv[2] ?? 10));
