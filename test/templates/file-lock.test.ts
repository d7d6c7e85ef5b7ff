import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { tryLock } from '../../src/store/database/file-lock.ts';

t.test('a lock belongs to one holder, and ends with its process', async (t) => {
  const path = join(t.testdir(), 'folder', 'a.lock');
  const release = tryLock(path);
  t.ok(release);
  t.equal(tryLock(path), undefined);
  release?.();
  const module = join(import.meta.dirname, '../../src/store/database/file-lock.ts');
  // Kept, because a collected lock is released.
  const program = `import { tryLock } from ${JSON.stringify(module)}; globalThis.release = tryLock(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program]);
  await once(holder.stdout, 'data');
  t.equal(tryLock(path), undefined, 'another process holds it');
  holder.kill('SIGKILL');
  await once(holder, 'close');
  const again = tryLock(path);
  t.ok(again, 'a kill releases it');
  again?.();
});
