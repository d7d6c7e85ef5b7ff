/** The law of the thread that answers: what it may use for one request, through each entrance of the service. */
import { join } from 'node:path';
import type { Test } from 'tap';
import { createDocumentReferences } from '../../src/store/document-references.ts';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import type { Service } from '../e2e/service.ts';
import type { FrontCase } from './front-documents.ts';
import { slownessOfCore } from './core.ts';
import { embedOrigin, embedToken, entrances, shortLinkTo } from './front-entrances.ts';
import type { Asked, Entrance, Subject } from './front-entrances.ts';
import { startMeasured } from './measured-service.ts';
import type { ThreadUse, Used } from './measured-service.ts';

/**
 * CPU time in ms of one turn of the event loop, and of one request besides what its bytes cost, on the core of
 * `test/law/core.ts`. While a request waits for its render, timers of the service and the probe use a share of the thread.
 */
export const frontLaw = { turnMs: 25, requestMs: 50, mebibyteMs: 250, idleShare: 0.04 } as const;

/** What the thread used for one request. */
export interface Measured extends Used {
  entrance: Entrance | 'page';
  /** By how much the core was slower than the one of the law; measured after a request that breaks it otherwise. */
  slowness?: number;
  status: number;
  /** Bytes of the request's body and of the answer's. */
  bytes: number;
  /** Milliseconds from the request to its answer. */
  waitedMs: number;
}

/** A published template of another organization. */
export const bystander = { uid: 'bystander', organization: 'org_bystander' };

/** Measurements of a case that breaks the law. Other work on the machine only adds to its time, and the bounds stay. */
const attemptsMax = 10;

/** The uid of a copy of the template of a case. */
export function uidOf(index: number, attempt: number): string {
  return `case-${index}-${attempt}`;
}

/** A service with the templates of some cases, which measures its thread. */
export interface FrontTrial {
  service: Service;
  /** What the other threads used since the last call, by thread. */
  takeThreads: () => ThreadUse[];
  /** Measures one request for a page, the first of this service. */
  measurePage: (path: string) => Promise<Measured>;
  /** Sends one request and reads its answer. */
  ask: (index: number, entrance: Entrance) => Promise<void>;
  /**
   * The first measurement that keeps the law, or the last: garbage collections come by chance. Each is of another copy of
   * the template, so that the first request of a document is measured, too.
   */
  measure: (index: number, entrance: Entrance) => Promise<Measured>;
}

/** Starts a service that has the templates of `cases`. */
export async function startFrontTrial(
  t: Test,
  cases: readonly FrontCase[],
  environment: Record<string, string> = {},
): Promise<FrontTrial> {
  const folder = t.testdir();
  const dataDirectory = fillDataDirectory(
    join(folder, 'data'),
    ({ db, organizations, publish }) => {
      organizations.createOrganization('Bystander', bystander.organization);
      publish(
        bystander.uid,
        { layers: [textLayer('Hello {{name}}')], variables: [textVariable('name', '')] },
        bystander.organization,
      );
      for (const [index, { document }] of cases.entries()) {
        for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
          publish(uidOf(index, attempt), document);
        }
      }
      // Otherwise the service reads all of them beside the first requests, in the same turns.
      const references = createDocumentReferences(db);
      while (!references.indexSome());
    },
  );
  const { service, read, takeThreads } = await startMeasured(t, dataDirectory, {
    PLATEN_EMBED_ORIGINS: embedOrigin,
    PLATEN_TRUSTED_PROXIES: '127.0.0.1',
    ...environment,
  });
  let asked = 0;
  const prepare = async (index: number, entrance: Entrance, attempt = 0): Promise<Asked> => {
    const lawCase = cases[index];
    if (lawCase === undefined) throw new Error(`There is no case ${index}.`);
    asked += 1;
    const subject: Subject = {
      uid: uidOf(index, attempt),
      lang: `${lawCase.options['_lang'] ?? 'en'}-x-${asked}`,
      network: `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`,
      token: '',
      shortLink: '',
    };
    if (entrance === 'embed' || entrance === 'put')
      subject.token = await embedToken(service, subject.uid);
    if (entrance === 'short') subject.shortLink = await shortLinkTo(service, subject, lawCase);
    return entrances[entrance](subject, lawCase);
  };
  const measureOnce = async (
    index: number,
    entrance: Entrance,
    attempt: number,
  ): Promise<Measured> => {
    return measureRequest(entrance, await prepare(index, entrance, attempt));
  };
  const measureRequest = async (
    entrance: Measured['entrance'],
    { path, options }: Asked,
  ): Promise<Measured> => {
    await read();
    const startedMs = performance.now();
    const { status, body, headers: answered } = await service.get(path, options);
    const waitedMs = performance.now() - startedMs;
    const timing = String(answered['server-timing']);
    if (timing.includes('desc=hit')) throw new Error(`${path} is answered from the cache.`);
    const bytes = String(options.body ?? '').length + body.length;
    return atItsCore({ entrance, status, bytes, waitedMs, ...(await read()) });
  };
  return {
    service,
    takeThreads,
    measurePage: (path) => measureRequest('page', { path, options: {} }),
    ask: async (index, entrance) => {
      const { path, options } = await prepare(index, entrance);
      await service.get(path, options);
    },
    measure: async (index, entrance) => {
      let measured = await measureOnce(index, entrance, 0);
      for (let again = 1; again < attemptsMax && frontOffence(measured) !== undefined; again += 1) {
        measured = await measureOnce(index, entrance, again);
      }
      return measured;
    },
  };
}

type Judged = Omit<Measured, 'entrance'>;

/** A measurement with the speed of the core, if that decides. */
export function atItsCore<Use extends Judged>(measured: Use): Use {
  if (frontOffence(measured) === undefined) return measured;
  return { ...measured, slowness: slownessOfCore() };
}

/** Why a request breaks the law; undefined if it does not. */
export function frontOffence(measured: Judged): string | undefined {
  const { cpuMs, turnMs, bytes, waitedMs, status, slowness = 1 } = measured;
  if (status >= 500 && status !== 503 && status !== 504) return `answers ${status}`;
  const { requestMs, mebibyteMs, idleShare } = frontLaw;
  const requestMax = requestMs + (mebibyteMs * bytes) / 2 ** 20;
  const core = `on a core ${slowness.toFixed(2)} times as slow as that of the law`;
  if (turnMs > frontLaw.turnMs * slowness)
    return `holds the thread for ${turnMs.toFixed(1)} ms in one turn, ${core}`;
  if (cpuMs > requestMax * slowness + waitedMs * idleShare)
    return `takes ${cpuMs.toFixed(1)} ms of the thread, ${core}`;
  return undefined;
}
