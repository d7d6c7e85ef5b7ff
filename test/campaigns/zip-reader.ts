/** Reads a ZIP with yauzl, which checks sizes and sums. */
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** The files of a ZIP by their names, in the order of its directory. Rejects for a damaged one, or for two of one name. */
export async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) {
    if (files.has(entry.fileName)) throw new Error(`Two files are called ${entry.fileName}.`);
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}
