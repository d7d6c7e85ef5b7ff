/** Writes a WOFF2 file to standard output as TrueType, in a separate process: the decompressor keeps 20 MB. */
import { readFileSync } from 'node:fs';
import decompress from 'woff2-encoder/decompress';

const [, , source = ''] = process.argv;
process.stdout.write(await decompress(readFileSync(source)));
