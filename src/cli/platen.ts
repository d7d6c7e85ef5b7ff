#!/usr/bin/env node
/** The command line of Platen: reads the arguments, runs one command, and ends with its exit code. */
import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { useCodeCache } from '../code-cache.ts';
import { userCacheDirectory } from './user-cache.ts';

try {
  const codeDirectory = join(userCacheDirectory(), 'code');
  mkdirSync(codeDirectory, { recursive: true, mode: 0o700 });
  // Both together halve the time of a short command (0.5 s to 0.25 s, measured on 2 cores).
  enableCompileCache(join(userCacheDirectory(), 'bytecode'));
  useCodeCache(codeDirectory, dirname(dirname(import.meta.dirname)));
} catch {
  // Without a home that can be written, a command only starts later.
}

const { runProgram } = await import('./program.ts');
await runProgram(process.argv.slice(2));
