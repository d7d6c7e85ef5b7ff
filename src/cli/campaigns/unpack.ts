/** Unpacks the ZIP file of a campaign into a folder. */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';

/**
 * Writes all files below `folder`. yauzl refuses names that lead out of the folder, and files whose size differs from
 * the declared one.
 */
export async function unpack(path: string, folder: string): Promise<void> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      const target = join(folder, entry.fileName);
      await mkdir(entry.fileName.endsWith('/') ? target : dirname(target), { recursive: true });
      if (entry.fileName.endsWith('/')) continue;
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target));
    }
  } finally {
    zip.close();
  }
}
