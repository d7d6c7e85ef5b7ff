/** Packs the warm images of a campaign into one stream, by which other nodes get them from the shared database. */
import { existsSync, mkdirSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { warmPath } from '../../../render/warm-renders.ts';

/** Bytes of the length before each key and each image. The key, a digest, precedes the image. */
const lengthBytes = 4;
const keyPattern = /^[\w-]{16,128}$/;

/** Packs the images of a folder. */
export async function* packImages(folder: string): AsyncGenerator<Uint8Array> {
  for (const shard of await readdir(folder)) {
    for (const key of await readdir(join(folder, shard))) {
      // Other names are partial files that a kill left.
      if (!keyPattern.test(key)) continue;
      yield withLength(Buffer.from(key));
      yield withLength(await readFile(join(folder, shard, key)));
    }
  }
}

/**
 * Replaces the images of `folder` by those of a stream. Rejects and leaves nothing behind if the parent folder is
 * deleted meanwhile.
 */
export async function unpackImages(
  stream: AsyncIterable<Uint8Array>,
  folder: string,
): Promise<void> {
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  try {
    // Not recursive, so that a deleted parent folder is not created again.
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
