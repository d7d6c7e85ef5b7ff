/** The program of a process that decompresses a WOFF2 file to another file: the decompressor keeps 20 MB. */
import { readFileSync, writeFileSync } from 'node:fs';
import decompress from 'woff2-encoder/decompress';

const [, , source = '', target = ''] = process.argv;
writeFileSync(target, await decompress(readFileSync(source)));
