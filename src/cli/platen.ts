#!/usr/bin/env node
/** The command line of Platen: reads the arguments, runs one command, and ends with its exit code. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { refuseStaleBuild } from '../process/build-stamp.ts';
import { userCacheDirectory } from './user-cache.ts';

refuseStaleBuild();
// As a shebang has no options: errors name lines of the sources.
process.setSourceMapsEnabled(true);
// Without a home that can be written, a command only starts later.
enableCompileCache(join(userCacheDirectory(), 'bytecode'));

const { runProgram } = await import('./program.ts');
await runProgram(process.argv.slice(2));
