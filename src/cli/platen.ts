#!/usr/bin/env node
/**
 * The command line of Platen. A shell that finds it in its PATH starts it with the Node of the machine: native code needs
 * the major version that the package brings, so another one only starts that. Its imports must load on Node 20.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { manifest } from '../foundation/product.ts';

const majorOf = (version: string): string => version.split('.', 1)[0] ?? '';

if (majorOf(process.versions.node) === majorOf(manifest.dependencies.node)) {
  await import('./run.ts');
} else {
  startPackagedNode();
}

/** Ends as its child does. A terminal signals both, a supervisor this process alone. */
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
    process.exitCode = code ?? (signal === null ? 1 : 143);
  });
}
