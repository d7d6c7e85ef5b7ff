/** A process that is killed while it writes templates or a table: what it has acknowledged is there, whole. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createRandom } from '../../bench/stages/random-text.ts';
import { openAsItIs, openDatabase } from '../../src/store/database/database.ts';
import { documentCid } from '../../src/store/template-document.ts';
import { createTableStore } from '../../src/mailings/store/tables/table-store.ts';
import { extent } from '../helpers/extent.ts';

/** `npm run test:kills` asks for a thousand. */
const kills = Number(process.env['TEST_KILLS'] ?? extent(8, 40));
/** Those of a writer of a data table. */
const tableKills = Number(process.env['TEST_KILLS'] ?? extent(6, 12));
/** Each with a database of its own, so that two processes are under way. */
const lanes = 2;
/** Kills after which a lane begins with an empty folder, so that some meet the making of the schema. */
const killsPerDatabase = 8;
/** A kill takes a quarter of a second, on a busy machine several times that. */
const timeoutMs = 60_000 + 5000 * (kills + tableKills);
t.setTimeout(timeoutMs);

/** Starts a writer, kills it when `when` has ended, and gives the whole lines that it wrote. */
async function runAndKill(
  program: string,
  args: readonly string[],
  when: (child: Writer) => Promise<unknown>,
): Promise<string[]> {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const begun = once(child.stdout, 'data');
  await Promise.race([when({ begun, hasWritten: (part) => text.includes(part) }), closed]);
  child.kill('SIGKILL');
  await closed;
  return text.split('\n').slice(0, -1);
}

/** A writer that runs. */
interface Writer {
  /** Its first line. */
  begun: Promise<unknown>;
  hasWritten: (part: string) => boolean;
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
  const totals = { acknowledged: 0, missing: [] as string[] };
  let acknowledged: string[] = [];
  let path = '';
  let first = 0;
  for (let index = 0; index < count; index += 1) {
    if (index % killsPerDatabase === 0) {
      path = join(folder, `lane-${lane}-${index}`, 'platen.db');
      acknowledged = [];
      first = 0;
    }
    // One in four is killed while it opens the database, the others at any point of their first writes.
    const diesEarly = random() < 0.25;
    const lines = await runAndKill(
      '../fixtures/killed-writer.ts',
      [path, String(first)],
      async ({ begun }) => {
        if (!diesEarly) await begun;
        await sleep(random() * (diesEarly ? 300 : 150));
      },
    );
    acknowledged.push(...lines);
    totals.acknowledged += lines.length;
    const stored = readStored(path);
    totals.missing.push(...missingFrom(stored, acknowledged));
    first = Math.max(-1, ...stored.drafts.values()) + 1;
  }
  return totals;
}

const limit = { timeout: timeoutMs };

t.test('after each kill every acknowledged write is there, in a sound file', limit, async (t) => {
  const folder = t.testdir();
  const count = Math.ceil(kills / lanes);
  const runs = Array.from({ length: lanes }, (_, lane) => runLane(folder, lane, count));
  const totals = await Promise.all(runs);
  const acknowledged = totals.reduce((total, each) => total + each.acknowledged, 0);
  for (const { missing } of totals) t.same(missing, []);
  t.ok(acknowledged > kills, 'there was something to lose');
  t.comment(`${kills} kills, ${acknowledged} acknowledged writes`);
});

/** The last number of a kind of line. */
function lastOf(lines: readonly string[], word: string): number {
  const line = lines.findLast((each) => each.startsWith(`${word} `)) ?? '';
  return Number(line.split(' ')[1] ?? 0);
}

/** Of a change: `3.1` is the second one of generation 3. */
function numberOf(change: string): number {
  return Number(change.split('.')[1] ?? -1);
}

t.test('a kill leaves one whole generation of a table and its changes', limit, async (t) => {
  const path = join(t.testdir(), 'platen.db');
  let stored = 0;
  let begun = 0;
  let change = '';
  let generationMs: number | undefined;
  for (let kill = 0; kill < tableKills; kill += 1) {
    // The kills meet the upload, the change of files and the changes, however fast the machine is.
    const afterMs = generationMs && generationMs * 2 * ((kill * 0.618) % 1);
    const args = [path, String(begun + 1)];
    const lines = await runAndKill('../fixtures/killed-table-writer.ts', args, async (writer) => {
      await writer.begun;
      const begunMs = performance.now();
      if (afterMs !== undefined) return sleep(afterMs);
      while (!writer.hasWritten('stored ')) await sleep(1);
      generationMs = performance.now() - begunMs;
    });
    begun = Math.max(begun, lastOf(lines, 'begun'));
    if (lastOf(lines, 'stored') > 0) {
      stored = lastOf(lines, 'stored');
      change = '';
    }
    const changed = lines.findLast((line) => line.startsWith(`changed ${stored} `));
    if (changed !== undefined) change = `${stored}.${changed.split(' ')[2]}`;

    const db = openDatabase(path);
    const tables = createTableStore(db, join(t.testdirName, 'tables'));
    const file = tables.findFile('org_a', 'members');
    if (file === undefined) t.equal(stored, 0, 'no table before the first acknowledged upload');
    else {
      const rows = openAsItIs(file.path);
      const found = rows.prepare<[], string>('SELECT cells FROM rows').pluck().all();
      t.equal(rows.pragma('integrity_check', { simple: true }), 'ok');
      rows.close();
      const generations = new Set(found.map((cells) => (JSON.parse(cells) as string[])[1]));
      t.equal(found.length, 20_000);
      t.equal(generations.size, 1, 'all rows are of one upload');
      const [generation] = generations;
      const known = `generation ${generation} of ${stored} and ${begun}`;
      t.ok([stored, begun].includes(Number(generation)), known);
      if (Number(generation) !== stored) [stored, change] = [Number(generation), ''];
      const note = tables.findRow('org_a', 'members', 'k7')?.('note') ?? '';
      // A change that was not acknowledged may be there too.
      t.ok(numberOf(note) >= numberOf(change), `the change ${change} is there: ${note}`);
      change = note;
    }
    tables.close();
    db.close();
  }
  t.ok(stored > 0, 'uploads were stored');
});
