import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createFirstOpenStore } from '../../src/store/first-open-store.ts';
import { createIdempotencyStore } from '../../src/store/idempotency-store.ts';
import { createSigningKeyStore } from '../../src/store/organizations/signing-key-store.ts';
import { createShortLinkStore } from '../../src/store/short-link-store.ts';
import { StoreError } from '../../src/store/database/store-error.ts';
import { createStatisticsStore, noCounts } from '../../src/store/statistics-store.ts';
import { createCommentStore } from '../../src/store/team/comment-store.ts';
import { createTemplateStore } from '../../src/store/template-store.ts';
import { connect } from '../../src/store/shared/connection.ts';
import { eventually } from '../e2e/service.ts';
import { extent } from '../helpers/extent.ts';
import { skipsPostgres, startPostgres } from '../helpers/postgres.ts';
import { sampleDocument } from '../store/store-fixture.ts';
import { digestOf, settled, startNode } from './nodes.ts';
import { parseDatabaseUrl } from '../../src/store/database/shared-port.ts';

t.test('replicas of a shared database', { skip: skipsPostgres, timeout: 300_000 }, async (t) => {
  const postgres = await startPostgres(t);
  const url = postgres.createDatabase('platen');
  const folder = t.testdir();
  const a = await startNode(t, url, join(folder, 'a'));
  const b = await startNode(t, url, join(folder, 'b'));
  const templates = createTemplateStore(a.db);
  t.teardown(() => templates.close());
  const document = sampleDocument();
  const json = JSON.stringify(document);
  const { uid: org } = await a.write(() => a.organizations.createOrganization('first'));
  await a.write(() => templates.createDraft(org, 'one', document, json));

  await t.test('rows of every kind are equal on all nodes', async (t) => {
    const keys = createSigningKeyStore(a.db, Date.now);
    const links = createShortLinkStore(a.db);
    const idempotency = createIdempotencyStore(a.db);
    await a.write(() => templates.publish(org, 'one'));
    await a.write(() => a.organizations.createKey(org, { name: 'key' }));
    await a.write(() => templates.setLabels(org, 'one', { folder: 'ä', tags: ['é', '日本'] }));
    const second = await a.write(() => keys.createSigningKey(org, 'one'));
    await a.write(() =>
      links.createLink(org, { uid: 'one', linkJson: '{}', expires: 2_000_000_000 }),
    );
    await a.write(() =>
      createCommentStore(a.db).addComment(org, 'one', { layer: 'x', text: 'Hm', keyId: 1 }),
    );
    await a.write(() =>
      idempotency.begin({
        keyDigest: Buffer.alloc(32, 7),
        organizationUid: org,
        fingerprint: Buffer.alloc(32, 8),
      }),
    );
    await a.write(() => keys.removeSigningKey(org, 'one', second?.id ?? 0));
    await a.write(() => templates.archive(org, 'one'));
    await a.write(() => templates.restore(org, 'one'));
    await settled(t, postgres, [a, b]);
    t.equal(digestOf(a.db), digestOf(b.db));
    const c = await startNode(t, url, join(folder, 'c'));
    t.equal(digestOf(c.db), digestOf(a.db), 'a new node copies everything');
    const third = await c.write(() =>
      createSigningKeyStore(c.db, Date.now).createSigningKey(org, 'one'),
    );
    t.not(third?.id, second?.id, 'the id of a removed key is never given again');
    await c.close();
    await settled(t, postgres, [a, b]);
  });

  await t.test('what throws changes nothing and leaves the other writes alone', async (t) => {
    const before = digestOf(a.db);
    const fail = (): never => {
      a.organizations.createOrganization('half');
      throw new StoreError('CONFLICT', 'no');
    };
    const outcomes = await Promise.allSettled([
      a.write(fail),
      a.write(() => a.organizations.createOrganization('whole')),
      a.write(fail),
    ]);
    t.strictSame(
      outcomes.map(({ status }) => status),
      ['rejected', 'fulfilled', 'rejected'],
    );
    await t.rejects(a.write(fail), { code: 'CONFLICT' });
    t.not(digestOf(a.db), before);
    const names = a.organizations.listOrganizations().map(({ name }) => name);
    t.strictSame(names, ['first', 'whole']);
    await settled(t, postgres, [a, b]);
    t.equal(digestOf(a.db), digestOf(b.db));
  });

  await t.test('a value that PostgreSQL cannot store is refused alone', async (t) => {
    const outcomes = await Promise.allSettled([
      a.write(() => a.organizations.createOrganization('with\0zero')),
      a.write(() => a.organizations.createOrganization('without')),
    ]);
    t.strictSame(
      outcomes.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    t.match(outcomes[0], { reason: { code: 'INVALID' } });
  });

  await t.test('a write past the shared database fails', async (t) => {
    t.throws(() => a.organizations.createOrganization('past'), /outside of a shared write/);
  });

  await t.test('counts of both nodes add up', async (t) => {
    const counts = [
      {
        uid: 'one',
        answers: [{ version: 1, client: 'x', counts: { ...noCounts(), images: 1 } }],
        errors: new Map(),
      },
    ];
    const rounds = extent(5, 50);
    for (let round = 0; round < rounds; round += 1) {
      for (const node of [a, b]) {
        node.use();
        t.ok(createStatisticsStore(node.db).add(counts));
        await node.write(() => undefined);
      }
    }
    await settled(t, postgres, [a, b]);
    for (const { db } of [a, b]) {
      const { total } = createStatisticsStore(db).read('one', '2000-01-01', '2999-01-01');
      t.equal(total.images, 2 * rounds);
    }
  });

  await t.test('the first open of a contact counts on every node', async (t) => {
    b.use();
    const opens = createFirstOpenStore(b.db);
    t.equal(opens.open('one', 'anna', 1000), 1000);
    const others = createFirstOpenStore(a.db);
    t.ok(await eventually(() => others.find('one', 'anna') === 1000));
    t.equal(others.open('one', 'anna', 2000), 1000);
    opens.close();
    others.close();
  });

  await t.test('a commit without an answer is asked for', async (t) => {
    const set = (names: string): void => {
      postgres.sql('postgres', `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
      postgres.sql('postgres', 'SELECT pg_reload_conf()');
    };
    const end = (): string =>
      postgres.sql(
        'platen',
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      );
    set('nobody');
    const made = a.write(() => a.organizations.createOrganization('waiting'));
    t.ok(await eventually(() => end() !== ''), 'the commit waits for a standby, and is cut off');
    set('');
    const { uid } = await made;
    t.ok(a.organizations.findOrganization(uid));
    const stored = "SELECT count(*) FROM organizations WHERE name = 'waiting'";
    t.equal(postgres.sql('platen', stored).trim(), '1', 'it is stored once');
  });

  await t.test('two processes share one replica', async (t) => {
    const twin = await startNode(t, url, join(folder, 'a'));
    const made = Array.from({ length: extent(21, 210) }, (_, index) => {
      const node = [a, b, twin][index % 3] ?? a;
      return node.write(() => node.organizations.createOrganization(`node ${index}`));
    });
    t.equal(new Set((await Promise.all(made)).map(({ uid }) => uid)).size, made.length);
    await settled(t, postgres, [a, b, twin]);
    t.equal(digestOf(a.db), digestOf(b.db));
    await twin.close();
  });

  await t.test('a node that copies everything keeps no other from writing', async (t) => {
    await b.close();
    const address = parseDatabaseUrl(url);
    if (address === undefined) throw new Error(`${url} is no address.`);
    const [blocking, other] = [await connect(address), await connect(address)];
    await blocking.begin();
    await blocking.query('LOCK TABLE organizations');
    postgres.sql(
      'platen',
      `WITH head AS (UPDATE platen_cluster SET position = position + 1, entry = 'all' RETURNING position)
       INSERT INTO platen_changes SELECT position, 'all', '"all"' FROM head`,
    );
    // Both the one that follows and the one that writes come upon the copy.
    const written = a.write(() => a.organizations.createOrganization('patient'));
    const copies = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'relation'";
    t.ok(await eventually(async () => (await other.query(copies)).length > 0));
    for (let times = 0; times < 20; times += 1) {
      await t.resolves(other.query('SELECT 1 FROM platen_cluster FOR UPDATE NOWAIT'));
    }
    await blocking.query('COMMIT');
    await t.resolves(written);
    await Promise.all([blocking.close(), other.close()]);
  });

  await t.test('a node that was away for longer than the log copies everything', async (t) => {
    await a.write(() => a.organizations.createOrganization('later'));
    await a.write(() => a.organizations.createOrganization('latest'));
    postgres.sql(
      'platen',
      'DELETE FROM platen_changes WHERE position < (SELECT max(position) FROM platen_changes)',
    );
    const again = await startNode(t, url, join(folder, 'b'));
    t.equal(digestOf(again.db), digestOf(a.db));
    const triggers = again.db
      .prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'")
      .pluck();
    t.equal(
      triggers.get(),
      a.db.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'").pluck().get(),
    );
    await again.close();
  });

  await t.test('a node follows a database that was restored from a backup', async (t) => {
    await a.write(() => a.organizations.createOrganization('kept'));
    await a.write(() => a.organizations.createOrganization('undone'));
    postgres.sql(
      'platen',
      `DELETE FROM organizations WHERE name = 'undone';
       DELETE FROM platen_changes WHERE position = (SELECT position FROM platen_cluster);
       UPDATE platen_cluster SET (position, entry) =
         (SELECT position, entry FROM platen_changes ORDER BY position DESC LIMIT 1)`,
    );
    const names = (): string[] => a.organizations.listOrganizations().map(({ name }) => name);
    t.ok(await eventually(() => !names().includes('undone')));
    t.ok(names().includes('kept'));
    await a.write(() => a.organizations.createOrganization('new'));
    t.ok(names().includes('new'));
  });

  await t.test('nodes wait for the end of a restore, and then have all of it', async (t) => {
    const dump = join(postgres.folder, 'dump');
    const d = await startNode(t, url, join(folder, 'd'));
    await settled(t, postgres, [a, d]);
    const before = digestOf(a.db);
    postgres.client('pg_dump', ['-Fc', '-f', dump, 'platen']);
    await a.write(() => a.organizations.createOrganization('after the backup'));
    postgres.sql('postgres', 'DROP DATABASE platen WITH (FORCE)');
    const write = (): Promise<unknown> =>
      a.write(() => a.organizations.createOrganization('meanwhile'));
    await t.rejects(write(), { code: 'AWAY' }, 'the connection is lost');
    // The cause, or within half a second of the loss that the database is away.
    await t.rejects(write(), { code: 'AWAY', message: /has no database platen|cannot be reached/ });
    postgres.sql('postgres', 'CREATE DATABASE platen');

    const restore = (...args: string[]): string =>
      postgres.client('pg_restore', ['-d', 'platen', ...args, dump]);
    restore('--section=pre-data');
    const isRestored = { code: 'AWAY', message: /being restored/ };
    await t.rejects(d.shared.connect(), isRestored, 'there is no head yet');
    restore('--section=data', '-t', 'platen_cluster', '-t', 'platen_changes');
    await t.rejects(d.shared.connect(), isRestored, 'the head is there before templates');
    await t.rejects(startNode(t, url, join(folder, 'early')), { message: /being restored/ });
    // As a parallel restore does.
    postgres.sql('platen', 'ALTER TABLE platen_cluster ADD CONSTRAINT early PRIMARY KEY (id)');
    await t.rejects(d.shared.connect(), isRestored, 'other tables are not whole');
    postgres.sql('platen', 'ALTER TABLE platen_cluster DROP CONSTRAINT early');
    const list = restore('-l').split('\n');
    const isData = (line: string): boolean => / TABLE DATA | SEQUENCE SET /.test(line);
    const isHead = (line: string): boolean => / platen_(cluster|changes) /.test(line);
    const listPath = join(folder, 'rest');
    writeFileSync(listPath, list.filter((line) => isData(line) && !isHead(line)).join('\n'));
    restore('-L', listPath);
    restore('--section=post-data');

    await settled(t, postgres, [a, d]);
    t.ok(await eventually(() => [a, d].every(({ db }) => digestOf(db) === before)));
    const isStored = (): Promise<boolean> =>
      write().then(
        () => true,
        () => false,
      );
    t.ok(await eventually(isStored));
    await settled(t, postgres, [a, d]);
    t.equal(digestOf(d.db), digestOf(a.db));
  });
});
