/**
 * Builds tap's test class without its TypeScript plugin, once an installation, before tap starts.
 *
 * tap would do it by itself, but the run that builds still starts its tests with the old set of plugins, and that
 * plugin cannot load TypeScript 7: the first run after an installation failed.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const builtClass = fileURLToPath(import.meta.resolve('@tapjs/test/built'));
if (readFileSync(builtClass, 'utf8').includes('@tapjs/typescript')) {
  const build = spawnSync('tap', ['build'], { stdio: 'inherit' });
  process.exitCode = build.status ?? 1;
}
