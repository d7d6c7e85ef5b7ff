import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { eventually } from '../e2e/service.ts';
import { skipsPostgres, startPostgres } from '../helpers/postgres.ts';
import { digestOf, settled, startNode } from './nodes.ts';
import type { Node } from './nodes.ts';

/** What a next version may add: a table, and a column that is computed of the rows. */
const newer = [
  `CREATE TABLE mottos (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
   INSERT INTO mottos VALUES (1, 'first');
   ALTER TABLE organizations ADD COLUMN motto TEXT NOT NULL DEFAULT 'none';
   UPDATE organizations SET motto = 'of ' || name;`,
];

t.test('two versions share one database', { skip: skipsPostgres }, async (t) => {
  const postgres = await startPostgres(t);
  const url = postgres.createDatabase('platen');
  const folder = t.testdir();
  const old = await startNode(t, url, join(folder, 'old'));
  const { uid } = await old.write(() => old.organizations.createOrganization('Anna'));
  const next = await startNode(t, url, join(folder, 'next'), newer);
  const motto = (node: Node, organization: string): unknown =>
    node.db.prepare('SELECT motto FROM organizations WHERE uid = ?').pluck().get(organization);

  t.equal(motto(next, uid), 'of Anna', 'the newer version migrates the shared rows');
  t.equal(postgres.sql('platen', 'SELECT motto FROM organizations').trim(), 'of Anna');
  t.strictSame(
    readdirSync(join(folder, 'next')).filter((name) => name.includes('upgrade')),
    [],
    'no scratch file stays',
  );

  await t.test('the older one goes on to read and to write', async (t) => {
    const made = await old.write(() => old.organizations.createOrganization('Ben'));
    await settled(t, postgres, [old, next]);
    t.equal(motto(next, made.uid), 'none');
    await old.write(() => old.organizations.setImageHosts(uid, ['example.com']));
    await settled(t, postgres, [old, next]);
    t.equal(motto(next, uid), 'of Anna', 'a column that it does not know stays');
    await next.write(() => {
      next.db.exec("INSERT INTO mottos VALUES (2, 'second')");
      return next.organizations.createOrganization('Cora');
    });
    t.ok(await eventually(() => old.organizations.listOrganizations().length === 3));
    postgres.sql(
      'postgres',
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'platen'",
    );
    t.ok(
      await eventually(() =>
        old
          .write(() => old.organizations.createOrganization('Dora'))
          .then(
            () => true,
            () => false,
          ),
      ),
      'also over a new connection',
    );
  });

  await t.test('a node that starts with the older version is refused', async (t) => {
    await t.rejects(startNode(t, url, join(folder, 'late')), {
      name: 'SharedDatabaseError',
      message: /schema \d+, but this version of Platen knows schemas up to/,
    });
  });

  await t.test('nodes of the newer version are equal', async (t) => {
    const third = await startNode(t, url, join(folder, 'third'), newer);
    await settled(t, postgres, [next, third]);
    t.equal(digestOf(third.db), digestOf(next.db));
  });
});
