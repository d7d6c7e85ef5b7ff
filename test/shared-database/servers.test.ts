import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { freePort, startProgram } from '../e2e/service.ts';
import { olderPrograms, skipsPostgres, startPostgres } from '../helpers/postgres.ts';
import type { Postgres } from '../helpers/postgres.ts';
import { digestOf, settled, startNode } from './nodes.ts';

/** Undefined, and the test is skipped, where the server is not installed. */
async function startOlder(t: Test, major: number): Promise<Postgres | undefined> {
  const programs = skipsPostgres === false ? olderPrograms(t, major) : undefined;
  if (programs === undefined) {
    t.comment(`there is no node_modules/.cache/postgres-${major}, which .ci/run installs`);
    return undefined;
  }
  return startPostgres(t, [], programs);
}

t.test('a server before version 14 ends the start with exit code 78', async (t) => {
  const postgres = await startOlder(t, 13);
  if (postgres === undefined) return;
  const program = startProgram(t, {
    PLATEN_HOST: '127.0.0.1',
    PLATEN_PORT: String(await freePort()),
    PLATEN_DATA_DIR: join(t.testdir(), 'data'),
    PLATEN_DATABASE_URL: postgres.createDatabase('platen'),
  });
  t.strictSame(await program.ended, { code: 78, signal: null });
  t.match(program.stderr, /is PostgreSQL 13\.\d+; expected 14 or newer: upgrade it/);
});

t.test('nodes share a database of version 14', async (t) => {
  const postgres = await startOlder(t, 14);
  if (postgres === undefined) return;
  const url = postgres.createDatabase('platen');
  const folder = t.testdir();
  const a = await startNode(t, url, join(folder, 'a'));
  const b = await startNode(t, url, join(folder, 'b'));
  const made = [a, b, a, b].map((node, index) =>
    node.write(() => node.organizations.createOrganization(`organization ${index}`)),
  );
  t.equal(new Set((await Promise.all(made)).map(({ uid }) => uid)).size, 4);
  await settled(t, postgres, [a, b]);
  t.equal(digestOf(a.db), digestOf(b.db));
});
