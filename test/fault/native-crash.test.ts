/** A process that dies by a signal, as of a fault in a decoder: what it has acknowledged is there, and the next one starts clean. */
import { join } from 'node:path';
import t from 'tap';
import { openAsItIs } from '../../src/store/database/database.ts';
import { image } from '../e2e/image-bytes.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { request } from '../e2e/request.ts';
import { eventually, startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';

const headers = { 'X-API-Key': testOrganization.key };
const uids = ['one', 'two', 'three'];

/** Writes that are acknowledged before the fault comes. */
const writesMin = 30;

/** What the service has said to be stored: of each template the last draft's number and the last version. */
interface Acknowledged {
  writes: number;
  drafts: Map<string, number>;
  versions: Map<string, number>;
}

function document(number: number) {
  return {
    format: 1,
    name: String(number),
    width: 240,
    height: 40,
    variables: [textVariable('name', 'friend')],
    layers: [textLayer('{{name}}')],
  };
}

/** Saves and publishes until the service is gone. */
async function write({ port }: Service, uid: string, acknowledged: Acknowledged): Promise<void> {
  for (let number = 0; ; number += 1) {
    const body = JSON.stringify(document(number));
    const path = `/v1/templates/${uid}`;
    const saved = await request(port, path, { method: 'PUT', headers, body });
    if (saved.status !== 200) throw new Error(saved.text);
    acknowledged.drafts.set(uid, number);
    const published = await request(port, `${path}/publish`, { method: 'POST', headers });
    if (published.status !== 200) throw new Error(published.text);
    const { version } = published.json() as { version: number };
    acknowledged.versions.set(uid, version);
    acknowledged.writes += 2;
  }
}

/** Asks for new images until the service is gone, so that a process is at work when the fault comes. */
async function draw(service: Service): Promise<void> {
  for (let number = 0; ; number += 1) await service.render(`hello?name=${number}`);
}

/** The code of a connection that has ended. */
function isGone(result: PromiseSettledResult<void>): boolean {
  return result.status === 'rejected' && /ECONN|socket|cut off/i.test(String(result.reason));
}

t.test(
  'after a fault in native code no write is lost and the next process starts clean',
  async (t) => {
    const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
      for (const uid of uids) publish(uid);
    });
    const service = await startService(t, { dataDirectory });
    const acknowledged: Acknowledged = { writes: 0, drafts: new Map(), versions: new Map() };
    const running = Promise.allSettled([
      ...uids.map((uid) => write(service, uid, acknowledged)),
      draw(service),
    ]);
    t.ok(await eventually(() => acknowledged.writes >= writesMin, 30_000));
    service.process.kill('SIGSEGV');
    t.same(
      await service.process.ended,
      { code: null, signal: 'SIGSEGV' },
      'no handler keeps it alive',
    );
    for (const result of await running) t.ok(isGone(result), JSON.stringify(result));

    const next = await startService(t, {
      dataDirectory,
      environment: { PLATEN_LOG_LEVEL: 'warn' },
    });
    for (const uid of uids) {
      const draft = await next.get(`/v1/templates/${uid}/document`, { headers });
      const { name } = draft.json() as { name: string };
      t.ok(Number(name) >= (acknowledged.drafts.get(uid) ?? -1), `the last draft of ${uid}`);
      const version = acknowledged.versions.get(uid) ?? 0;
      t.ok(version > 1);
      await image(t, await next.render(`${uid}?_version=${version}&name=Ada`));
    }
    t.notMatch(next.process.stderr, /"level":"error"|"event":"(?!request)/);
    const db = openAsItIs(join(dataDirectory, 'platen.db'));
    t.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    db.close();
  },
);
