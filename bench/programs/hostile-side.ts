/** Plays hostile image origins and sends the links that lead to them, in a process of its own that obeys orders. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the side does until the next order. */
export interface HostileOrder {
  attack: 'origins' | 'drawings' | 'none';
  /** The service's address. */
  base: string;
}

/** Ports of the origins: plain HTTP, and what is no TLS. */
export interface HostilePorts {
  http: number;
  garbage: number;
}

/** Links of the order before that were answered, by status. */
export type HostileAnswers = [status: number, times: number][];

/**
 * Links under way at any time: as many as the service fetches at once; of slow drawings a few, because more
 * are only refused by the queue in front of the processes that draw them.
 */
const linksOf = { origins: 64, drawings: 4 } as const;
/** Links start at different times within this, so that their time-outs do not come in one burst. */
const spreadMs = 3000;

const kinds = ['stall', 'drip', 'reset', 'loop', 'garbage'] as const;

/** Noise in fine grain: minutes of work for a renderer, from a few hundred bytes. */
function slowDrawing(seed: string): string {
  const size = 'width="4000" height="4000"';
  const noise = `<filter id="f"><feTurbulence seed="${seed}" baseFrequency="0.4" numOctaves="9"/></filter>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${noise}<rect ${size} filter="url(#f)"/></svg>`;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const [, kind = '', seed = ''] = (request.url ?? '').split('/');
  if (kind === 'drawing') response.end(slowDrawing(seed));
  else if (kind === 'reset') request.socket.resetAndDestroy();
  else if (kind === 'loop') response.writeHead(302, { location: `/loop/${seed}x` }).end();
  else if (kind === 'drip') {
    response.write('\x89PNG\r\n\x1a\n');
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  }
  // Anything else stalls: it is never answered.
}

/**
 * The source of a link, the same for the same number. Each origin is a host of its own, because one that keeps
 * failing is soon not asked any more and would cost nothing.
 */
function sourceOf(attack: 'origins' | 'drawings', ports: HostilePorts, count: number): string {
  const kind = attack === 'drawings' ? 'drawing' : (kinds[count % kinds.length] ?? 'stall');
  const host = `127.0.${count % 200}.${2 + (count % 250)}`;
  return kind === 'garbage'
    ? `https://${host}:${ports.garbage}/${count}`
    : `http://${host}:${ports.http}/${kind}/${count}`;
}

let count = 0;

/** Keeps the attack's links under way until `signal`; resolves to how many of them were answered, by status. */
async function run(
  attack: 'origins' | 'drawings',
  base: string,
  ports: HostilePorts,
  signal: AbortSignal,
): Promise<HostileAnswers> {
  const statuses = new Map<number, number>();
  const links = linksOf[attack];
  const keepAsking = async (_: unknown, link: number): Promise<void> => {
    await sleep((spreadMs * link) / links);
    while (!signal.aborted) {
      count += 1;
      const source = encodeURIComponent(sourceOf(attack, ports, count));
      const reply = await ask(`${base}/v1/render/product-card?product=${source}`, signal);
      if (reply === undefined) return;
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      // Who asks again at once measures a flood of refusals, which the scenario of overload does.
      const waitMs = Number(reply.headers.get('retry-after') ?? 0) * 1000;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: links }).map(keepAsking));
  return [...statuses];
}

/** Undefined when the order has ended. */
async function ask(url: string, signal: AbortSignal): Promise<Response | undefined> {
  try {
    const reply = await fetch(url, { signal });
    await reply.arrayBuffer();
    return reply;
  } catch {
    return undefined;
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const garbage = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.end('This is no TLS. '.repeat(100));
});
const ports = { http: await listen(createHttpServer(answer)), garbage: await listen(garbage) };
let end = new AbortController();
let attacking: Promise<HostileAnswers> = Promise.resolve([]);

async function obey({ attack, base }: HostileOrder): Promise<void> {
  end.abort();
  process.send?.(await attacking);
  end = new AbortController();
  attacking = attack === 'none' ? Promise.resolve([]) : run(attack, base, ports, end.signal);
}

process.on('disconnect', () => process.exit(0));
process.on('message', (order: HostileOrder) => void obey(order));
process.send?.(ports);
