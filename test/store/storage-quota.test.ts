import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import t from 'tap';
import { createStorageQuota, QuotaError } from '../../src/store/database/storage-quota.ts';
import { fromThreadError, toThreadError } from '../../src/mailings/campaigns/thread-errors.ts';
import { createCampaignList } from '../../src/mailings/store/campaigns/campaign-list.ts';
import { createRowFile } from '../../src/mailings/store/tables/row-file.ts';
import { createCommentStore } from '../../src/store/team/comment-store.ts';
import { createTemplateStore } from '../../src/store/template-store.ts';
import { toError, toOutcome } from '../../src/mailings/tables/jobs.ts';
import {
  createStores,
  pngHeader as header,
  publishSample,
  sampleDocument,
  sampleFontFacts as facts,
  saveSample,
} from './store-fixture.ts';
import type { Stores } from './store-fixture.ts';

/** What the tables hold, counted again. */
function countedBytes({ db }: Stores): number {
  const sum = db.prepare<[], number>(
    `SELECT (SELECT coalesce(sum(length(CAST(draft_json AS BLOB))), 0) FROM templates) +
            (SELECT coalesce(sum(length(CAST(document_json AS BLOB))), 0) FROM template_versions) +
            (SELECT coalesce(sum(size_bytes), 0) FROM assets) +
            (SELECT coalesce(sum(size_bytes), 0) FROM fonts) +
            (SELECT coalesce(sum(length(CAST(text || layer_id AS BLOB)) + 200), 0)
             FROM template_comments)`,
  );
  return sum.pluck().get() ?? 0;
}

t.test('the sum is that of drafts, versions, comments and files, whatever is done', async (t) => {
  const stores = createStores(t);
  const { assets, comments, fonts, organizations, templates } = stores;
  const quota = createStorageQuota(stores.db);
  const storedBytes = (uid: string): number => quota.storedBytes(uid);
  const same = (after: string): void => {
    t.equal(storedBytes('org_a'), countedBytes(stores), after);
  };
  publishSample(stores, 'card', { name: 'Größe' });
  same('a draft and a version');
  const alone = storedBytes('org_a');
  saveSample(stores, 'card', { name: 'A longer name of the card' });
  saveSample(stores, 'card', { name: 'Short' });
  same('other drafts in its place');
  templates.publish('org_a', 'card', { version: 1 });
  templates.duplicate('org_a', 'card', { uid: 'copy' });
  templates.archive('org_a', 'copy');
  same('an older version again, a copy, an archive');
  t.ok(storedBytes('org_a') > alone);
  const asset = assets.saveAsset('org_a', Buffer.alloc(90, 1), header, Buffer.alloc(70, 2));
  assets.saveAsset('org_a', Buffer.alloc(90, 1), header);
  const font = fonts.saveFont('org_a', 'Brand', Buffer.alloc(50, 3), facts);
  same('an asset with its drawing, twice, and a font');
  assets.deleteAsset('org_a', asset);
  fonts.deleteFont('org_a', font);
  same('neither of them');
  const key = organizations.createKey('org_a', { name: 'a', scopes: ['write'] });
  const keyId = organizations.findByKey(key)?.keyId ?? 0;
  const comment = { layer: 'title', text: 'Größer?', keyId };
  const added = comments.addComment('org_a', 'card', comment);
  same('a comment');
  comments.deleteComment('org_a', 'card', added?.id ?? '');
  same('and none');
});

t.test('rows that are written end where the space of their organization ends', (t) => {
  const space = createStorageQuota(createStores(t).db, 100_000).space('org_a');
  t.equal(space.bytesMax, 100_000);
  const folder = t.testdir();
  const [cellsJson, rowsMax] = [JSON.stringify(['x'.repeat(1000)]), 100];
  const list = createCampaignList(join(folder, 'list.db'), space);
  const table = createRowFile(join(folder, 'table.db'), space);
  const writers = [
    (row: number) => list.add([{ row, line: row, cellsJson, digest: null }], []),
    (row: number) => table.insert(row, String(row), cellsJson),
  ];
  for (const write of writers) {
    let rows = 0;
    const writeAll = (): void => {
      for (; rows < rowsMax; rows += 1) write(rows);
    };
    const message = /may store 0\.0954 MiB; more than 0\.0954 MiB more are too many/;
    t.throws(writeAll, { name: 'QuotaError', message });
    t.ok(rows > 20 && rows < rowsMax, `after ${rows} rows`);
  }
  list.abandon();
  return table.discard();
});

t.test('a thread that has no more space says so to the service', async (t) => {
  const full = new QuotaError('CONFLICT', 'no more space');
  const received = [fromThreadError(toThreadError(full)), toError(toOutcome(full))];
  for (const error of received) {
    t.ok(error instanceof QuotaError);
    t.match(error, { code: 'CONFLICT', message: 'no more space' });
  }
});

t.test('what replaces something may be as large as that', async (t) => {
  const { db } = createStores(t);
  t.match(createStorageQuota(db, 1000).space('org_a', 600), { bytesMax: 1600 });
  t.match(createStorageQuota(db, -1000).space('org_a', 600), { bytesMax: 600 });
});

t.test('documents count: what is over the quota is refused whole, smaller ones fit', async (t) => {
  const stores = createStores(t);
  const bytes = Buffer.byteLength(JSON.stringify(sampleDocument()));
  const templates = createTemplateStore(stores.db, undefined, undefined, bytes * 3);
  const limited = { templates };
  const longer = sampleDocument({ name: 'Hello!' });
  publishSample(limited, 'card');
  templates.publish('org_a', 'card');
  for (const refused of [
    () => templates.publish('org_a', 'card'),
    () => saveSample(limited, 'second'),
    () => saveSample(limited, 'card', { name: 'Hello!' }),
    () => templates.duplicate('org_a', 'card', {}),
    () => templates.createDraft('org_a', 'new', longer, JSON.stringify(longer)),
    () => templates.updateDraft('org_a', 'card', longer, JSON.stringify(longer)),
  ]) {
    t.throws(refused, QuotaError);
  }
  const comments = createCommentStore(stores.db, bytes * 3);
  const comment = { layer: 'title', text: 'x'.repeat(2000), keyId: 1 };
  t.throws(() => comments.addComment('org_a', 'card', comment), QuotaError);
  t.throws(() => templates.publish('org_a', 'card'), {
    code: 'CONFLICT',
    message:
      /templates with their versions and comments,.* may store .* MiB.* Delete assets, fonts, tables, comments and campaigns/,
  });
  t.equal(templates.listVersions('org_a', 'card')?.total, 2, 'nothing was half stored');
  t.equal(saveSample(limited, 'card', { name: 'Hi' }).created, false, 'a shorter draft is stored');
  t.equal(saveSample(limited, 'card', { name: 'Ho' }).created, false, 'and one as long');
});

t.test('a database of before counts what is in it already', async (t) => {
  const directory = join(import.meta.dirname, '../../data/migrations');
  const files = readdirSync(directory).toSorted();
  const db = new BetterSqlite3(':memory:');
  t.teardown(() => db.close());
  const run = (name: string): void => {
    db.exec(readFileSync(join(directory, name), 'utf8'));
  };
  for (const name of files.filter((each) => each < '006')) run(name);
  const at = '2030-01-01T00:00:00.000Z';
  const cid = '0'.repeat(32);
  db.exec(`
    INSERT INTO organizations (uid, name, created_at) VALUES ('org_a', 'A', '${at}'), ('org_b', 'B', '${at}');
    INSERT INTO templates (id, uid, organization_uid, name, created_at, updated_at, draft_cid, draft_json)
      VALUES (1, 'x', 'org_a', 'x', '${at}', '${at}', '${cid}', '"ä"');
    INSERT INTO template_versions (template_id, version, cid, published_at, document_json)
      VALUES (1, 1, '${cid}', '${at}', '"12345"');`);
  run(files.find((each) => each.startsWith('006')) ?? '');
  const stored = db.prepare('SELECT uid, stored_bytes FROM organizations ORDER BY uid').raw().all();
  t.same(Object.fromEntries(stored as [string, number][]), { org_a: 4 + 7, org_b: 0 });
});
