/** Reads the arguments, runs one command, and exits with its code. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { refuseStaleBuild } from '../process/build-stamp.ts';
import { userCacheDirectory } from './files.ts';

refuseStaleBuild();
// Set here, because the shebang has no options.
process.setSourceMapsEnabled(true);
// If the home directory is not writable, commands start more slowly.
enableCompileCache(join(userCacheDirectory(), 'bytecode'));

const { runProgram } = await import('./program.ts');
await runProgram(process.argv.slice(2));
