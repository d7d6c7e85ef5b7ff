#!/usr/bin/env node
/** The command line of Platen: reads the arguments, runs one command, and ends with its exit code. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { findProgram } from '../process/built-code.ts';
import { userCacheDirectory } from './user-cache.ts';

// Without a home that can be written, a command only starts later.
enableCompileCache(join(userCacheDirectory(), 'bytecode'));

const { runProgram } = (await import(findProgram('cli').href)) as typeof import('./program.ts');
await runProgram(process.argv.slice(2));
