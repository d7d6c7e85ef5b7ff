/** Reads the arguments, runs one command, and ends with its exit code. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { refuseStaleBuild } from '../process/build-stamp.ts';
import { userCacheDirectory } from './files.ts';

refuseStaleBuild();
// Not in the shebang, which has no options.
process.setSourceMapsEnabled(true);
// If the home cannot be written, a command starts more slowly.
enableCompileCache(join(userCacheDirectory(), 'bytecode'));

const { runProgram } = await import('./program.ts');
await runProgram(process.argv.slice(2));
