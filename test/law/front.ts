/** The law of the thread that answers: what it may use for one request, through each entrance of the service. */
import { join } from 'node:path';
import type { Test } from 'tap';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import type { Service } from '../e2e/service.ts';
import type { RequestOptions } from '../e2e/request.ts';
import type { FrontCase } from './front-documents.ts';
import { startMeasured } from './measured-service.ts';
import type { ThreadUse, Used } from './measured-service.ts';

/**
 * CPU time in ms of one turn of the event loop, and of one request besides what its bytes cost. While a request waits for
 * its render, timers of the service and the probe use a share of the thread.
 */
export const frontLaw = { turnMs: 25, requestMs: 50, mebibyteMs: 250, idleShare: 0.04 } as const;

/** What the thread used for one request. */
export interface Measured extends Used {
  entrance: Entrance;
  status: number;
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

/** What a request is made for. */
interface Subject {
  /** The published template of the case. */
  uid: string;
  /** A language tag that no request had before, so that no image comes from the cache. */
  lang: string;
  /** An address that no request had before. */
  network: string;
  /** Of an editor of the template, for the entrance of embed tokens. */
  token: string;
  /** Of the case, for the entrance of short links. */
  shortLink: string;
}

function post(path: string, body: object, more: Record<string, string> = {}): Asked {
  const options = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) };
  return { path, options };
}

const linkBytesMax = 15_000;

/** A link with as many of the values as fit into one. */
function linkTo({ uid, lang }: Subject, { values, options }: FrontCase): string {
  let link = `/v1/render/${uid}?${new URLSearchParams({ ...options, _lang: lang }).toString()}`;
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

/** Beginnings of most words of the guides, and the values, as long as a link may be. */
function searchFor({ values }: FrontCase): string {
  const query = new URLSearchParams({ q: ['a c p s t', ...Object.values(values)].join(' ') });
  // No part of an escape stands at the end.
  return `/docs/search?${query.toString().slice(0, linkBytesMax).replace(/%.?$/, '')}`;
}

/** The ways to ask for an image, and the search. */
const entrances = {
  link: (subject, lawCase) => ({ path: linkTo(subject, lawCase), options: {} }),
  url: (subject, lawCase) => shortLinkOrder(subject, lawCase),
  short: ({ shortLink }) => ({ path: shortLink, options: {} }),
  embed: ({ uid, token }, { values, options: { _format } }) =>
    post(
      '/v1/preview',
      { uid, values: jsonValues(values), format: _format },
      { 'X-API-Key': token },
    ),
  json: ({ uid, lang }, { values, options: { _format } }) =>
    post(`/v1/render/${uid}`, { values: jsonValues(values), format: _format, lang }),
  preview: (_, lawCase) => post('/v1/preview', previewOf(lawCase)),
  report: (_, lawCase) => post('/v1/preview', previewOf(lawCase), { accept: 'application/json' }),
  adapter: ({ uid }, { values }) => {
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
  // A network may send few searches: each comes from another one.
  search: ({ network }, lawCase) => ({
    path: searchFor(lawCase),
    options: { headers: { 'X-Forwarded-For': network } },
  }),
} satisfies Record<string, (subject: Subject, lawCase: FrontCase) => Asked>;

export type Entrance = keyof typeof entrances;
export const entranceNames = Object.keys(entrances) as Entrance[];

/** A service with the templates of some cases, which measures its thread. */
export interface FrontTrial {
  service: Service;
  /** What the other threads used since the last call, by thread. */
  takeThreads: () => ThreadUse[];
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
  const { service, read, takeThreads } = await startMeasured(t, dataDirectory, {
    PLATEN_EMBED_ORIGINS: embedOrigin,
    PLATEN_TRUSTED_PROXIES: '127.0.0.1',
    ...environment,
  });
  let asked = 0;
  const prepare = async (index: number, entrance: Entrance): Promise<Asked> => {
    const lawCase = cases[index];
    if (lawCase === undefined) throw new Error(`There is no case ${index}.`);
    asked += 1;
    const subject: Subject = {
      uid: `case-${index}`,
      lang: `${lawCase.options['_lang'] ?? 'en'}-x-${asked}`,
      network: `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`,
      token: '',
      shortLink: '',
    };
    if (entrance === 'embed') subject.token = await embedToken(service, subject.uid);
    if (entrance === 'short') subject.shortLink = await shortLinkTo(service, subject, lawCase);
    return entrances[entrance](subject, lawCase);
  };
  const measureOnce = async (index: number, entrance: Entrance): Promise<Measured> => {
    const { path, options } = await prepare(index, entrance);
    await read();
    const startedMs = performance.now();
    const { status, body, headers: answered } = await service.get(path, options);
    const waitedMs = performance.now() - startedMs;
    const timing = String(answered['server-timing']);
    if (timing.includes('desc=hit')) throw new Error(`${path} is answered from the cache.`);
    const bytes = String(options.body ?? '').length + body.length;
    return { entrance, status, bytes, waitedMs, ...(await read()) };
  };
  return {
    service,
    takeThreads,
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

/** Asks for a short link, whose image is rendered as WebP. */
function shortLinkOrder({ uid, lang }: Subject, { values }: FrontCase): Asked {
  const options = { format: 'webp', lang, response: 'url', short: true };
  return post(`/v1/render/${uid}`, { values: jsonValues(values), ...options });
}

/** A short link that was not opened before, in another format than WebP. */
async function shortLinkTo(
  service: Service,
  subject: Subject,
  lawCase: FrontCase,
): Promise<string> {
  const { path, options } = shortLinkOrder(subject, lawCase);
  const answer = await service.get(path, options);
  const url = answer.status === 200 ? (answer.json() as { url: string }).url : '/r/refused';
  return `${new URL(url, service.base).pathname.replace('.webp', '')}.${lawCase.options['_format']}`;
}

async function embedToken(service: Service, template: string): Promise<string> {
  const { path, options } = post('/v1/embed-tokens', { template, origin: embedOrigin });
  return ((await service.get(path, options)).json() as { token: string }).token;
}

/** Why a request breaks the law; undefined if it does not. */
export function frontOffence(measured: Omit<Measured, 'entrance'>): string | undefined {
  const { cpuMs, turnMs, bytes, waitedMs, status } = measured;
  if (status >= 500 && status !== 503 && status !== 504) return `answers ${status}`;
  const { requestMs, mebibyteMs, idleShare } = frontLaw;
  const requestMax = requestMs + (mebibyteMs * bytes) / 2 ** 20 + waitedMs * idleShare;
  if (turnMs > frontLaw.turnMs) return `holds the thread for ${turnMs.toFixed(1)} ms in one turn`;
  if (cpuMs > requestMax) return `takes ${cpuMs.toFixed(1)} ms of the thread`;
  return undefined;
}
