import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

/** Mounts of this test alone; needs a Linux that lets its users do so. */
const inPrivateMounts = ['--user', '--map-root-user', '--mount'];
const mayMount =
  spawnSync('unshare', [...inPrivateMounts, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

const program = fileURLToPath(new URL('./read-only-trial.ts', import.meta.url));

if (mayMount) {
  const args = [...inPrivateMounts, process.execPath, program];
  void t.spawn('unshare', args, 'a service on a read-only file system');
} else {
  t.test('a service on a read-only file system', { skip: 'needs mounts of its own' }, (t) =>
    t.end(),
  );
}
