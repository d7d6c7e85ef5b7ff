/** Plays hostile image origins and sends the links to them, in a separate process that follows orders. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The behaviour until the next order. */
export interface HostileOrder {
  attack: 'origins' | 'drawings' | 'none';
  /** The address of the service. */
  base: string;
}

/** Ports of the origins: plain HTTP, and one without valid TLS. */
export interface HostilePorts {
  http: number;
  garbage: number;
}

/** Responses to the links of the previous order, by status. */
export type HostileAnswers = [status: number, times: number][];

/**
 * Concurrent links: as many as the service fetches at once. Few slow drawings, because the queue in front of their
 * processes refuses more.
 */
const linksOf = { origins: 64, drawings: 4 } as const;
/** Links start at different times within this interval, so that their timeouts do not coincide. */
const spreadMs = 3000;

const kinds = ['stall', 'drip', 'reset', 'loop', 'garbage'] as const;

/** Fine-grained noise: minutes of work for a renderer, from a few hundred bytes. */
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
  // All others stall: they are never answered.
}

/**
 * Returns the source of a link, the same for the same number. Each origin is a separate host, because a host that keeps
 * failing is soon not requested any more and would cost nothing.
 */
function sourceOf(attack: 'origins' | 'drawings', ports: HostilePorts, count: number): string {
  const kind = attack === 'drawings' ? 'drawing' : (kinds[count % kinds.length] ?? 'stall');
  const host = `127.0.${count % 200}.${2 + (count % 250)}`;
  return kind === 'garbage'
    ? `https://${host}:${ports.garbage}/${count}`
    : `http://${host}:${ports.http}/${kind}/${count}`;
}

let count = 0;

/** Keeps the links of the attack in progress until `signal`; resolves to the number of responses by status. */
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
      // Repeating a request at once would measure a flood of refusals, which the scenario of overload does.
      const waitMs = Number(reply.headers.get('retry-after') ?? 0) * 1000;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: links }).map(keepAsking));
  return [...statuses];
}

/** Undefined if the order has ended. */
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
