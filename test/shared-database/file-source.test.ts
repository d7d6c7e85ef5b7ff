import { createHash } from 'node:crypto';
import t from 'tap';
import { unlessAbsent } from '../../src/store/assets/node-files.ts';
import { FileSource } from '../../src/store/shared/file-source.ts';
import type { FileAddress } from '../../src/store/database/shared-port.ts';
import type { Connection, Value } from '../../src/store/database/shared-port.ts';

const file = Buffer.alloc(300 * 1024, 'x');
const fileDigest = createHash('sha256').update(file).digest('hex');

/** A file of an organization; all have the same content. */
const addressOf = (organizationUid: string, digest: string): FileAddress => ({
  table: 'assets',
  organizationUid,
  digest,
  column: 'bytes',
  fileDigest: digest === 'whole' ? fileDigest : digest,
});

/** A database that notes whose files it was asked for. */
function fakeDatabase(whenAsked: (organizationUid: string) => void = () => undefined): {
  asked: string[];
  use: (work: (connection: Connection) => Promise<void>) => Promise<void>;
  connections: () => number;
} {
  const asked: string[] = [];
  let connections = 0;
  const query = (sql: string, values: readonly Value[] = []): Promise<Value[][]> => {
    const [organizationUid, digest, start] = values.map(String);
    const bytes = Number(/FOR (\d+)/.exec(sql)?.[1]);
    if (start === '1') {
      asked.push(`${organizationUid} ${digest}`);
      whenAsked(organizationUid ?? '');
    }
    const from = Number(start) - 1;
    return Promise.resolve(digest === 'gone' ? [] : [[file.subarray(from, from + bytes)]]);
  };
  return {
    asked,
    connections: () => connections,
    use: async (work) => {
      connections += 1;
      await work({ query } as unknown as Connection);
    },
  };
}

t.test('many files of an organization delay that of another by one', async (t) => {
  const { asked, use, connections } = fakeDatabase();
  const source = new FileSource(use);
  const many = Array.from({ length: 200 }, (_, index) => source.read(addressOf('a', `${index}`)));
  const all = Promise.allSettled(many);
  t.ok((await source.read(addressOf('b', 'whole'))).equals(file));
  t.same(asked.slice(0, 3), ['a 0', 'a 1', 'b whole']);
  t.ok(asked.length < 10, `${asked.length} files were asked for by then`);
  await all;
  t.equal(asked.length, 201);
  t.equal(connections(), 1);
});

t.test('a file that waited for longer than a link is not read any more', async (t) => {
  let nowMs = 0;
  const { asked, use } = fakeDatabase(() => (nowMs += 4000));
  const source = new FileSource(use, () => nowMs);
  const reads = Array.from({ length: 6 }, (_, index) => source.read(addressOf('a', `${index}`)));
  const results = await Promise.allSettled(reads);
  t.same(asked, ['a 0', 'a 1', 'a 2', 'a 3']);
  const reasons = results.map((each) => (each.status === 'rejected' ? String(each.reason) : ''));
  t.match(reasons[3], 'is damaged', 'it was begun in time');
  t.match(reasons[4], 'did not come from the shared database in time');
  await unlessAbsent(reads[3] as Promise<Buffer>);
  await t.rejects(
    unlessAbsent(reads[4] as Promise<Buffer>),
    'a file that no link needs is asked for again',
  );
  t.ok((await source.read(addressOf('a', 'whole'))).equals(file), 'the next one is');
});

t.test('one organization lacks a file, and the other has it', async (t) => {
  const { use } = fakeDatabase();
  const source = new FileSource(use);
  const address = { ...addressOf('a', 'gone'), fileDigest };
  const gone = t.rejects(source.read(address), { code: 'ABSENT' });
  t.ok((await source.read(addressOf('b', 'whole'))).equals(file));
  await gone;
});

t.test('all who wait learn that the database is away', async (t) => {
  const source = new FileSource(() => Promise.reject(new Error('away')));
  const reads = ['a', 'b'].map((uid) => source.read(addressOf(uid, 'whole')));
  const results = await Promise.allSettled(reads);
  t.same(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
});
