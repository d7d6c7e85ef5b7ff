/** The law of the thread that answers: what it may use for one request, through each entrance of the service. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import type { RequestOptions } from '../e2e/request.ts';
import type { FrontCase } from './front-documents.ts';

/**
 * CPU time in ms of one turn of the event loop, and of one request besides what its bytes cost. While a request waits for
 * its render, timers of the service and the probe use a share of the thread.
 */
export const frontLaw = { turnMs: 25, requestMs: 50, mebibyteMs: 250, idleShare: 0.04 } as const;

/** What the thread used for one request. */
export interface Measured {
  entrance: Entrance;
  status: number;
  cpuMs: number;
  turnMs: number;
  /** Bytes of the request's body and of the answer's. */
  bytes: number;
  /** Milliseconds from the request to its answer. */
  waitedMs: number;
}

/** A published template of another organization. */
export const bystander = { uid: 'bystander', organization: 'org_bystander' };

const embedOrigin = 'https://app.example.com';
const headers = { 'X-API-Key': testOrganization.key, 'content-type': 'application/json' };

interface Asked {
  path: string;
  options: RequestOptions;
}

function post(path: string, body: object, more: Record<string, string> = {}): Asked {
  const options = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) };
  return { path, options };
}

const linkBytesMax = 15_000;

/** A link with as many of the values as fit into one. */
function linkTo(uid: string, { values, options }: FrontCase): string {
  let link = `/v1/render/${uid}?${new URLSearchParams(options).toString()}`;
  for (const pair of Object.entries(values)) {
    const longer = `${link}&${new URLSearchParams([pair]).toString()}`;
    if (longer.length < linkBytesMax) link = longer;
  }
  return link;
}

function previewOf({ document, values, options: { _format, _frames } }: FrontCase): object {
  const frames = _frames === undefined ? {} : { frames: Number(_frames) };
  return { template: document, values: jsonValues(values), format: _format, ...frames };
}

/** Values as JSON has them: a list is an array. */
function jsonValues({ items, ...values }: FrontCase['values']): Record<string, unknown> {
  return items === undefined ? values : { ...values, items: JSON.parse(items) as unknown };
}

/** The ways to ask for an image; the template of a case is published as `uid`, and an editor of it has `token`. */
const entrances = {
  link: (uid, lawCase) => ({ path: linkTo(uid, lawCase), options: {} }),
  url: (uid, { values }) =>
    post(`/v1/render/${uid}`, { values: jsonValues(values), response: 'url', short: true }),
  embed: (uid, { values, options: { _format } }, token) =>
    post(
      '/v1/preview',
      { uid, values: jsonValues(values), format: _format },
      { 'X-API-Key': token },
    ),
  json: (uid, { values, options: { _format } }) =>
    post(`/v1/render/${uid}`, { values: jsonValues(values), format: _format }),
  preview: (_, lawCase) => post('/v1/preview', previewOf(lawCase)),
  report: (_, lawCase) => post('/v1/preview', previewOf(lawCase), { accept: 'application/json' }),
  adapter: (uid, { values }) => {
    const modifications = Object.entries(values).map(([name, text]) => ({ name, text }));
    const authorization = `Bearer ${testOrganization.key}`;
    return post('/v2/images', { template: uid, modifications }, { authorization });
  },
  mcp: (_, { document, values }) => {
    const input = { document, values: jsonValues(values) };
    const params = { name: 'preview_template', arguments: input };
    const accept = 'application/json, text/event-stream';
    return post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { accept });
  },
} satisfies Record<string, (uid: string, lawCase: FrontCase, token: string) => Asked>;

export type Entrance = keyof typeof entrances;
export const entranceNames = Object.keys(entrances) as Entrance[];

/** A service with the templates of some cases, which measures its thread. */
export interface FrontTrial {
  service: Service;
  /** Sends one request and reads its answer. */
  ask: (index: number, entrance: Entrance) => Promise<void>;
  /** The least of up to three measurements of a case that breaks the law: garbage collections come by chance. */
  measure: (index: number, entrance: Entrance) => Promise<Measured>;
}

/** Starts a service that has the templates of `cases`. */
export async function startFrontTrial(
  t: Test,
  cases: readonly FrontCase[],
  environment: Record<string, string> = {},
): Promise<FrontTrial> {
  const folder = t.testdir();
  const dataDirectory = fillDataDirectory(join(folder, 'data'), ({ organizations, publish }) => {
    organizations.createOrganization('Bystander', bystander.organization);
    publish(
      bystander.uid,
      { layers: [textLayer('Hello {{name}}')], variables: [textVariable('name', '')] },
      bystander.organization,
    );
    for (const [index, { document }] of cases.entries()) publish(`case-${index}`, document);
  });
  // The system takes at most 107 bytes of a socket's path.
  const socketFolder = mkdtempSync(join(tmpdir(), 'platen-'));
  t.teardown(() => rmSync(socketFolder, { recursive: true }));
  const socketPath = join(socketFolder, 'probe');
  const service = await startService(t, {
    dataDirectory,
    processCount: 2,
    environment: {
      PLATEN_EMBED_ORIGINS: embedOrigin,
      FRONT_PROBE: socketPath,
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'front-probe.mjs')).href}`,
      ...environment,
    },
  });
  const socket = connect(socketPath).setEncoding('utf8');
  await once(socket, 'connect');
  t.teardown(() => socket.destroy());
  const read = async (): Promise<{ cpuMs: number; turnMs: number }> => {
    const answered = once(socket, 'data');
    socket.write('?');
    return JSON.parse(String((await answered)[0])) as { cpuMs: number; turnMs: number };
  };
  const prepare = async (index: number, entrance: Entrance): Promise<Asked> => {
    const lawCase = cases[index];
    if (lawCase === undefined) throw new Error(`There is no case ${index}.`);
    const uid = `case-${index}`;
    const token = entrance === 'embed' ? await embedToken(service, uid) : '';
    return entrances[entrance](uid, lawCase, token);
  };
  const measureOnce = async (index: number, entrance: Entrance): Promise<Measured> => {
    const { path, options } = await prepare(index, entrance);
    await read();
    const startedMs = performance.now();
    const { status, body } = await service.get(path, options);
    const waitedMs = performance.now() - startedMs;
    const bytes = String(options.body ?? '').length + body.length;
    return { entrance, status, bytes, waitedMs, ...(await read()) };
  };
  return {
    service,
    ask: async (index, entrance) => {
      const { path, options } = await prepare(index, entrance);
      await service.get(path, options);
    },
    measure: async (index, entrance) => {
      let least = await measureOnce(index, entrance);
      for (let again = 0; again < 2 && frontOffence(least) !== undefined; again += 1) {
        const next = await measureOnce(index, entrance);
        if (next.cpuMs + next.turnMs < least.cpuMs + least.turnMs) least = next;
      }
      return least;
    },
  };
}

async function embedToken(service: Service, template: string): Promise<string> {
  const { path, options } = post('/v1/embed-tokens', { template, origin: embedOrigin });
  return ((await service.get(path, options)).json() as { token: string }).token;
}

/** Why a request breaks the law; undefined if it does not. */
export function frontOffence(measured: Measured): string | undefined {
  const { cpuMs, turnMs, bytes, waitedMs, status } = measured;
  if (status >= 500 && status !== 503 && status !== 504) return `answers ${status}`;
  const { requestMs, mebibyteMs, idleShare } = frontLaw;
  const requestMax = requestMs + (mebibyteMs * bytes) / 2 ** 20 + waitedMs * idleShare;
  if (turnMs > frontLaw.turnMs) return `holds the thread for ${turnMs.toFixed(1)} ms in one turn`;
  if (cpuMs > requestMax) return `takes ${cpuMs.toFixed(1)} ms of the thread`;
  return undefined;
}
