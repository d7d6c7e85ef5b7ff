/**
 * `npm run test:builds -- FOLDER`: the tests of sockets, pipelining and broken requests on Debian 13, with each build of
 * the HTTP server. Makes the system in FOLDER with `debootstrap` unless it is there. Needs Linux and root.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { addonPackages } from '../../src/http/native.ts';

const repository = join(import.meta.dirname, '../..');
const files = globSync(
  ['test/http/*.test.ts', 'test/fault/http-connections.test.ts', 'test/fuzz/fuzz.test.ts'],
  // It needs all builds at once.
  { cwd: repository, exclude: ['test/http/addon.test.ts'] },
);

/** Arguments: the system's folder, the repository, the packages to hide. The mounts end with their namespace. */
const mounts = `
mkdir -p "$0$1"
for path in "$1" /proc /dev; do mount --rbind "$path" "$0$path"; done
for name in $2; do mount -t tmpfs none "$0$1/node_modules/$name"; done
exec chroot "$0" sh -c "$3" "$1" "$4" "$5"`;

/** Arguments: the repository, the package, the files of tests. */
const tests = `
cd "$0"
export PATH="$PWD/node_modules/.bin:$PATH" TEST_FULL=1
node --input-type=module --eval '
  const { loadAddon } = await import(process.argv[2]);
  const { packageName } = loadAddon();
  if (packageName !== process.argv[1]) throw new Error(packageName + " is loaded.");
' "$1" "$PWD/src/http/native.ts"
exec node test/run.ts $2`;

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  throw new Error('Give the folder of the system: npm run test:builds -- FOLDER');
}
const system = resolve(folder);
if (!existsSync(join(system, 'bin/sh'))) {
  execFileSync('debootstrap', ['--variant=minbase', 'trixie', system], { stdio: 'inherit' });
}
for (const name of addonPackages) {
  const hidden = addonPackages.filter((other) => other !== name).join(' ');
  process.stdout.write(`# ${name}\n`);
  const args = [system, repository, hidden, `set -e${tests}`, name, files.join(' ')];
  const namespace = ['--mount', '--propagation', 'private', 'sh', '-ec', mounts];
  const { status } = spawnSync('unshare', [...namespace, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
