/** A process that is killed while it writes templates: what it has acknowledged is there, and the file is sound. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { openDatabase } from '../../src/store/database/database.ts';
import { documentCid } from '../../src/store/template-document.ts';
import { extent } from '../helpers/extent.ts';

/** `npm run test:kills` asks for a thousand. */
const kills = Number(process.env['TEST_KILLS'] ?? extent(8, 40));
/** Each with a database of its own, so that two processes are under way. */
const lanes = 2;
/** Kills after which a lane begins with an empty folder, so that some meet the making of the schema. */
const killsPerDatabase = 8;
/** Milliseconds that a writer may take to store its first template. */
const startTimeoutMs = 60_000;

/** A kill takes a quarter of a second, on a busy machine several times that. */
const timeoutMs = 60_000 + 5000 * kills;
t.setTimeout(timeoutMs);

const writer = fileURLToPath(new URL('../fixtures/killed-writer.ts', import.meta.url));

/** The same numbers in every run; the machine makes each kill come at another point even so. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Starts a writer and kills it at some point; gives the whole lines that it wrote. */
async function runAndKill(path: string, first: number, random: () => number): Promise<string[]> {
  const child = spawn(process.execPath, [writer, path, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  // One in four is killed while it opens the database, the others at any point of their first writes.
  const diesEarly = random() < 0.25;
  if (diesEarly) await sleep(random() * 300);
  else {
    await Promise.race([
      once(child.stdout, 'data'),
      sleep(startTimeoutMs, undefined, { ref: false }),
    ]);
    await sleep(random() * 150);
  }
  child.kill('SIGKILL');
  await closed;
  return text.split('\n').slice(0, -1);
}

interface Stored {
  /** Number of each template's draft. */
  drafts: Map<string, number>;
  /** `uid version cid` of each version. */
  versions: Set<string>;
}

/** Opens what the killed process has left, and reads all of it. Throws where it is not sound. */
function readStored(path: string): Stored {
  const db = openDatabase(path);
  try {
    const integrity = db.pragma('integrity_check', { simple: true });
    if (integrity !== 'ok') throw new Error(String(integrity));
    const orphans = db.pragma('foreign_key_check') as unknown[];
    if (orphans.length > 0) throw new Error(`${orphans.length} rows without their parents`);
    const drafts = db
      .prepare<[], { uid: string; json: string; cid: string }>(
        'SELECT uid, draft_json AS json, draft_cid AS cid FROM templates',
      )
      .all();
    const versions = db
      .prepare<[], { uid: string; version: number; json: string; cid: string }>(
        `SELECT t.uid, v.version, v.document_json AS json, v.cid
         FROM template_versions v JOIN templates t ON t.id = v.template_id`,
      )
      .all();
    for (const { uid, json, cid } of [...drafts, ...versions]) {
      if (documentCid(json) !== cid) throw new Error(`${uid} is half written`);
    }
    return {
      drafts: new Map(drafts.map(({ uid, json }) => [uid, Number(JSON.parse(json).name)])),
      versions: new Set(versions.map(({ uid, version, cid }) => `${uid} ${version} ${cid}`)),
    };
  } finally {
    db.close();
  }
}

/** What was acknowledged and is not there. */
function missingFrom({ drafts, versions }: Stored, lines: readonly string[]): string[] {
  return lines.filter((line) => {
    const [what = '', uid = '', number = '', cid = ''] = line.split(' ');
    // A later draft that was stored without an answer may stand in its place.
    if (what === 'saved') return !((drafts.get(uid) ?? -1) >= Number(number));
    return !versions.has(`${uid} ${number} ${cid}`);
  });
}

async function runLane(folder: string, lane: number, count: number) {
  const random = createRandom(lane + 1);
  const totals = { kills: 0, acknowledged: 0, missing: [] as string[] };
  let acknowledged: string[] = [];
  let path = '';
  let first = 0;
  for (let index = 0; index < count; index += 1) {
    if (index % killsPerDatabase === 0) {
      path = join(folder, `lane-${lane}-${index}`, 'platen.db');
      acknowledged = [];
      first = 0;
    }
    const lines = await runAndKill(path, first, random);
    acknowledged.push(...lines);
    totals.kills += 1;
    totals.acknowledged += lines.length;
    const stored = readStored(path);
    totals.missing.push(...missingFrom(stored, acknowledged));
    first = Math.max(-1, ...stored.drafts.values()) + 1;
  }
  return totals;
}

t.test(
  `after each of ${kills} kills every acknowledged write is there and the file is sound`,
  { timeout: timeoutMs },
  async (t) => {
    const folder = t.testdir();
    const runs = Array.from({ length: lanes }, (_, lane) =>
      runLane(folder, lane, Math.ceil(kills / lanes)),
    );
    const totals = await Promise.all(runs);
    const sum = (name: 'kills' | 'acknowledged'): number =>
      totals.reduce((total, each) => total + each[name], 0);
    t.same(
      totals.flatMap(({ missing }) => missing),
      [],
    );
    t.ok(sum('kills') >= kills);
    t.ok(sum('acknowledged') > kills, 'there was something to lose');
    t.comment(`${sum('kills')} kills, ${sum('acknowledged')} acknowledged writes`);
  },
);
