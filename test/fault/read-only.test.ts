import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { ReadOnlyCopy } from '../../src/process/read-only-copy.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { createTemplateStore } from '../../src/store/template-store.ts';
import { fillDataDirectory, testOrganization } from '../e2e/published.ts';

/** Mounts of this test alone; needs a Linux that lets its users do so. */
const inOwnMounts = ['--user', '--map-root-user', '--mount'];
const mayMount =
  spawnSync('unshare', [...inOwnMounts, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

const program = fileURLToPath(new URL('./read-only-trial.ts', import.meta.url));

if (mayMount) {
  const args = [...inOwnMounts, process.execPath, program];
  void t.spawn('unshare', args, 'a service on a read-only file system');
} else {
  t.test('a service on a read-only file system', { skip: 'needs mounts of its own' }, (t) =>
    t.end(),
  );
}

t.test('a copy has what the write-ahead log has, and takes nothing more', (t) => {
  const folder = t.testdir();
  const crashed = join(folder, 'crashed');
  mkdirSync(crashed);
  fillDataDirectory(join(folder, 'data'), ({ db, publish }) => {
    db.pragma('wal_checkpoint(TRUNCATE)');
    publish('card');
    // As a process leaves them that was killed.
    for (const name of ['platen.db', 'platen.db-wal']) {
      copyFileSync(join(folder, 'data', name), join(crashed, name));
    }
  });
  const copy = new ReadOnlyCopy(crashed);
  const db = openDatabase(join(copy.directory, 'platen.db'), { isReadOnly: true });
  const templates = createTemplateStore(db);
  t.ok(templates.findPublished('card'));
  t.throws(() => templates.publish(testOrganization.uid, 'card'), { code: 'READONLY' });
  templates.close();
  db.close();
  copy.remove();
  t.notOk(existsSync(copy.directory));
  t.end();
});

t.test('what cannot be read without a write says what to do', (t) => {
  const folder = t.testdir({ empty: {}, old: {} });
  t.throws(() => new ReadOnlyCopy(join(folder, 'empty')), {
    message: /has no database yet, .* read-only\. Mount it writable/,
  });
  const old = join(folder, 'old', 'platen.db');
  openDatabase(old).close();
  const db = openDatabase(old);
  db.pragma('user_version = 1');
  db.close();
  t.throws(() => openDatabase(old, { isReadOnly: true }), {
    code: 'SCHEMA',
    message: /has schema 1 and must be brought to schema \d+, .* mount it writable/,
  });
  writeFileSync(join(folder, 'empty', 'platen.db'), '');
  t.throws(() => openDatabase(join(folder, 'empty', 'platen.db'), { isReadOnly: true }), {
    code: 'SCHEMA',
  });
  t.end();
});
