#!/usr/bin/env node
/**
 * The command line of Platen. A shell starts it with the machine's Node. Native code needs the major version of the
 * packaged Node, so another version only starts the packaged one. The imports of this module must load on Node 20.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { manifest } from '../foundation/product.ts';
import { useZoneRules } from '../foundation/zone-rules.ts';

const majorOf = (version: string): string => version.split('.', 1)[0] ?? '';

if (majorOf(process.versions.node) === majorOf(manifest.dependencies.node)) {
  useZoneRules();
  await import('./run.ts');
} else {
  startPackagedNode();
}

/**
 * Starts the packaged Node and ends with its exit code, or with 128 + the number of the signal that ended it. Signals
 * are forwarded: a terminal signals both processes, but a supervisor only this one.
 */
function startPackagedNode(): void {
  const node = fileURLToPath(new URL('bin/node', import.meta.resolve('node/package.json')));
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    process.stderr.write(`Platen needs Node ${manifest.dependencies.node}. ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128 + constants.signals[signal]);
  });
}
