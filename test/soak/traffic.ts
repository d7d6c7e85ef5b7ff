/** The callers of a soak: each kind asks again and again, and says what it may be answered. */
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { head } from '../fixtures/raw-http.ts';
import { aLayer, aTemplate } from '../fixtures/template-documents.ts';
import { request } from '../e2e/request.ts';
import type { RequestOptions } from '../e2e/request.ts';
import { churnFonts } from './font-churn.ts';
import { hostilePreview } from './hostile-documents.ts';
import { mixedLink } from './mixed-links.ts';
import { photoPath } from './photo-origin.ts';
import { count, createTally } from './tally.ts';
import type { Tally } from './tally.ts';

/** One request and the statuses that are right for it. */
interface Call {
  path: string;
  statuses: readonly number[];
  options?: RequestOptions;
  /** Once it has come from memory, it is never refused again. */
  isKept?: boolean;
}

/** Complaints that are kept in words. */
const complaintsMax = 20;

/** Milliseconds between two requests of a kind: together some hundred requests a second, so that a machine keeps up. */
const pauseMs = 20;

/** What a service under overload, or with a process that has just died, may answer to a request for a new image. */
const busy = [500, 503, 504] as const;

/** Distinct photographs that links name. */
export const photosCount = 300;

/** Where the traffic goes. */
export interface Target {
  port: number;
  key: string;
  /** An address of the origin of images, for a path. */
  imageUrl: (path: string) => string;
  /** False while one process follows another: what the first had in memory, the other has not. */
  isSettled: () => boolean;
  /** Whether connections that a process has not accepted go to its successor (`net.ipv4.tcp_migrate_req`), or are reset. */
  migratesConnections: boolean;
}

type Kind = (index: number, target: Target) => Call;

/** Numbers from 0 on that differ each time: every link is new. */
function hello(index: number): string {
  return `/v1/render/hello?name=${index}`;
}

let etag = '';

const keyed = (key: string, method = 'GET', body = ''): RequestOptions => ({
  method,
  headers: { 'X-API-Key': key },
  body,
});

const drawn = (path: string, options: RequestOptions = {}): Call => ({
  path,
  statuses: [200, ...busy],
  options,
});

const kinds: Record<string, Kind> = {
  hit: (index) => ({ ...drawn(hello(index % 20)), isKept: true }),
  hitToo: (index) => ({ ...drawn(`/v1/render/quote?quote=${index % 5}`), isKept: true }),
  miss: (index) => drawn(hello(1000 + index)),
  large: (index) => drawn(`/v1/render/welcome-banner.jpg?name=${index}`),
  revalidated: () => ({
    path: hello(0),
    statuses: [200, 304, ...busy],
    isKept: true,
    options: { headers: { 'If-None-Match': etag } },
  }),
  image: (index, { imageUrl }) => ({
    path: `/v1/render/product-card?product=${imageUrl(imagePaths[index % imagePaths.length] ?? '')}&title=${index}`,
    statuses: [200, 400, ...busy],
  }),
  mixed: (index, { imageUrl }) =>
    drawn(mixedLink(index, (number) => imageUrl(photoPath(number % photosCount)))),
  moving: (index) =>
    drawn(
      `/v1/render/countdown-banner.webp?_animated=1&_frames=8&deadline=2030-01-${1 + (index % 28)}`,
    ),
  hostile: (index, { key }) => ({
    path: '/v1/preview',
    // Refused for what it would cost, or drawn.
    statuses: [200, 400, ...busy],
    options: keyed(key, 'POST', hostilePreview(index)),
  }),
  unknown: (index) => ({ path: `/v1/render/nobody${index}`, statuses: [404] }),
  wrong: (index) => ({ path: `${hello(index)}&_scale=9`, statuses: [400] }),
  method: () => ({ path: hello(0), statuses: [405], options: { method: 'DELETE' } }),
  list: (_, { key }) => ({ path: '/v1/templates', statuses: [200], options: keyed(key) }),
  one: (_, { key }) => ({ path: '/v1/templates/hello', statuses: [200], options: keyed(key) }),
  save: (index, { key }) => ({
    path: '/v1/templates/quote',
    statuses: [200],
    options: keyed(key, 'PUT', documentOf(index)),
  }),
  preview: (index, { key }) =>
    drawn('/v1/preview', keyed(key, 'POST', `{"template":${documentOf(index)}}`)),
  wrongKey: (index) => ({
    path: '/v1/templates',
    statuses: [401, 429],
    options: keyed(`no-key-${index}`),
  }),
  health: () => ({ path: '/healthz', statuses: [200] }),
};

/** Links that have come from memory since the last process began. */
const kept = new Set<string>();

/** A small template that differs each time. */
function documentOf(index: number): string {
  const layer = aLayer('text', { width: 90, height: 40, text: `${index}`, fontSize: 12 });
  return JSON.stringify(
    aTemplate({ name: `Soak ${index}`, width: 90, height: 40, layers: [layer] }),
  );
}

/** What the origin has to offer: an image, one that is reset in the middle, none, and an answer that never ends. */
const imagePaths = ['/good.png', '/reset.png', '/absent.png', '/slow.png', '/text.png'];

/** Runs all kinds of callers until `endMs` on the clock of `performance.now()`; resolves when the last one has its answer. */
export async function runTraffic(target: Target, endMs: number): Promise<Tally> {
  const tally = createTally();
  const agent = new Agent({ keepAlive: true });
  const callers = Object.entries(kinds).map(async ([name, kind]) => {
    for (let index = 0; performance.now() < endMs; index += 1) {
      await ask(name, kind(index, target), { target, agent, tally });
      await pause();
    }
  });
  await Promise.all([...callers, leaveEarly(target, endMs), churnFonts(target, endMs, tally)]);
  agent.destroy();
  return tally;
}

async function ask(
  name: string,
  { path, statuses, options = {}, isKept = false }: Call,
  { target, agent, tally }: { target: Target; agent: Agent; tally: Tally },
): Promise<void> {
  tally.requests += 1;
  const wasSettled = target.isSettled();
  const mustBeKept = isKept && wasSettled && kept.has(path);
  let complaint: string | undefined;
  try {
    const startedMs = performance.now();
    const answer = await request(target.port, path, { agent, ...options });
    count(tally, name, answer.status, performance.now() - startedMs);
    if (path === hello(0) && answer.headers.etag !== undefined) etag = answer.headers.etag;
    const isBusy = busy.some((status) => status === answer.status);
    if (!statuses.includes(answer.status) || (isBusy && mustBeKept && target.isSettled())) {
      complaint = `${name} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`;
    }
    if (isKept) noteKept(path, target, String(answer.headers['server-timing']));
  } catch (error) {
    if (!wasSettled && !target.migratesConnections && isReset(error)) tally.resets += 1;
    else complaint = `${name} ${path}: ${String(error)}`;
  }
  if (complaint === undefined) return;
  tally.lost += 1;
  if (tally.complaints.length < complaintsMax) tally.complaints.push(complaint);
}

function noteKept(path: string, target: Target, timing: string): void {
  if (!target.isSettled()) kept.clear();
  // A 304 that is `revalidated` is distinguished from the tag alone: the render need not be kept.
  else if (timing.startsWith('cache;desc=hit')) kept.add(path);
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}

/** Callers who leave: while they send, while they wait, and while they are sent the answer. */
async function leaveEarly({ port }: Target, endMs: number): Promise<void> {
  for (let index = 0; performance.now() < endMs; index += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    const bytes = head('GET', hello(1_000_000 + index));
    socket.write(index % 3 === 0 ? bytes.slice(0, -5) : bytes);
    if (index % 3 === 2) socket.once('data', () => socket.resetAndDestroy());
    else setTimeout(() => socket.destroy(), index % 15);
    await pause();
    await pause();
    socket.destroy();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, pauseMs);
  });
}
