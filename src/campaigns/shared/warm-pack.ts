/** The warm images of a campaign as one stream: the node that has made them stores it, and the others take them from it. */
import { existsSync, mkdirSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { warmPath } from '../../render/warm-renders.ts';

/** An image has its key, which is a digest, and its bytes; before each comes its length. */
const lengthBytes = 4;
const keyPattern = /^[\w-]{16,128}$/;

/** The images of a folder. */
export async function* packImages(folder: string): AsyncGenerator<Uint8Array> {
  for (const shard of await readdir(folder)) {
    for (const key of await readdir(join(folder, shard))) {
      // A kill has left others.
      if (!keyPattern.test(key)) continue;
      yield withLength(Buffer.from(key));
      yield withLength(await readFile(join(folder, shard, key)));
    }
  }
}

/**
 * Writes the images of a stream to `folder`, in place of those that it has. Rejects if the folder around it is deleted meanwhile,
 * and leaves nothing behind.
 */
export async function unpackImages(
  stream: AsyncIterable<Uint8Array>,
  folder: string,
): Promise<void> {
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  try {
    // Not with the folders around it.
    mkdirSync(draft, { mode: 0o700 });
    await writeImages(stream, draft);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function writeImages(stream: AsyncIterable<Uint8Array>, folder: string): Promise<void> {
  let key: string | undefined;
  for await (const item of itemsOf(stream)) {
    if (key === undefined) {
      key = item.toString();
      if (!keyPattern.test(key)) throw new Error('A stream of warm images is damaged.');
      continue;
    }
    const path = warmPath(folder, key);
    const shard = dirname(path);
    if (!existsSync(shard)) mkdirSync(shard, { mode: 0o700 });
    await writeFile(path, item, { mode: 0o600 });
    key = undefined;
  }
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(bytes.byteLength);
  return Buffer.concat([length, bytes]);
}

async function* itemsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.byteLength >= at + lengthBytes) {
      const end = at + lengthBytes + rest.readUInt32BE(at);
      if (end > rest.byteLength) break;
      yield rest.subarray(at + lengthBytes, end);
      at = end;
    }
    rest = rest.subarray(at);
  }
}
