/**
 * Stores lists and results of campaigns in PostgreSQL, in parts. Nodes do not copy these files into their databases,
 * and storing them does not lock the head.
 */
import { createHash, hash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { StoreError, storeErrors } from '../../../store/database/store-error.ts';
import type { Connection, TableDigest } from '../../../store/database/shared-port.ts';

/** Size of a part in bytes: only a few parts are in memory at a time. */
const partBytes = 1024 * 1024;

/** Parts that one statement deletes or checks. A deletion of this many takes less than a second. */
const partsAtOnce = 64;

/** Age after the last change at which a file without a campaign, or that no run names, is deleted. */
const withoutCampaign = '1 hour';
const withoutRun = '1 day';

/** Owner only: lists and results are personal data. */
const fileMode = 0o600;

/**
 * Stores `content` under the id and replaces an older file. Returns its size in bytes. Rejects with the reason of
 * `signal`, which is checked before each part.
 */
export async function saveFile(
  connection: Connection,
  { id, campaignId }: { id: string; campaignId: string },
  content: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<number> {
  await deleteParts(connection, id);
  await connection.query(
    `INSERT INTO platen_campaign_files (id, campaign_id) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET bytes = NULL, changed_at = now()`,
    [id, campaignId],
  );
  let [bytes, number] = [0, 0];
  for await (const part of inParts(content)) {
    signal?.throwIfAborted();
    await connection.query(
      `WITH file AS (UPDATE platen_campaign_files SET changed_at = now() WHERE id = $1)
       INSERT INTO platen_campaign_parts (file_id, number, digest, bytes) VALUES ($1, $2, $3, $4)`,
      [id, number, digestOf(part), part],
    );
    bytes += part.byteLength;
    number += 1;
  }
  await connection.query(
    'UPDATE platen_campaign_files SET bytes = $2, changed_at = now() WHERE id = $1',
    [id, bytes],
  );
  return bytes;
}

async function* inParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    waiting.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < partBytes) continue;
    const all = Buffer.concat(waiting);
    let at = 0;
    for (; all.byteLength - at >= partBytes; at += partBytes) {
      yield all.subarray(at, at + partBytes);
    }
    waiting = [all.subarray(at)];
    bytes = all.byteLength - at;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

/** A part of a file, from 0; undefined after the last one. Rejects with `IO` if it does not match its digest. */
export async function readPart(
  connection: Connection,
  id: string,
  number: number,
): Promise<Buffer | undefined> {
  const [row] = await connection.query(
    'SELECT bytes, digest FROM platen_campaign_parts WHERE file_id = $1 AND number = $2',
    [id, number],
  );
  if (row === undefined) return undefined;
  const [bytes, digest] = row;
  if (!Buffer.isBuffer(bytes) || digestOf(bytes) !== digest) throw damaged(id);
  return bytes;
}

/** Whether the database has all bytes of a file. A restored backup may lack some. */
export async function hasFile(connection: Connection, id: string): Promise<boolean> {
  const rows = await connection.query(
    `SELECT 1 FROM platen_campaign_files WHERE id = $1 AND bytes =
       (SELECT coalesce(sum(octet_length(bytes)), 0) FROM platen_campaign_parts WHERE file_id = $1)`,
    [id],
  );
  return rows.length > 0;
}

/** The parts of a file. Throws a `StoreError` `IO` for a missing, incomplete or damaged file. */
export async function* readFileParts(connection: Connection, id: string): AsyncGenerator<Buffer> {
  const [row] = await connection.query('SELECT bytes FROM platen_campaign_files WHERE id = $1', [
    id,
  ]);
  let bytes = 0;
  for (let number = 0; ; number += 1) {
    const part = await readPart(connection, id, number);
    if (part === undefined) break;
    yield part;
    bytes += part.byteLength;
  }
  if (row?.[0] !== bytes) {
    throw new StoreError('IO', `The shared database has no whole file ${id}.`);
  }
}

/** Writes a file to `path`, whole or not at all. Rejects with the errors of `readFileParts`. */
export async function loadFile(connection: Connection, id: string, path: string): Promise<void> {
  const draft = `${path}.${process.hrtime.bigint()}`;
  try {
    const file = await open(draft, 'wx', fileMode);
    try {
      for await (const part of readFileParts(connection, id)) await file.write(part);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    return storeErrors('Copying a file of a campaign', () => {
      throw error;
    });
  }
}

/** Deletes the file `id` of a campaign; without `id`, all files of the campaign. */
export async function deleteFiles(
  connection: Connection,
  campaignId: string,
  id?: string,
): Promise<void> {
  const files = await connection.query(
    'SELECT id FROM platen_campaign_files WHERE campaign_id = $1 AND ($2::text IS NULL OR id = $2)',
    [campaignId, id ?? null],
  );
  for (const [file] of files) await deleteFile(connection, String(file));
}

/** Deletes old files that no campaign or run names. A node that ends between two writes leaves such files. */
export async function sweepFiles(connection: Connection): Promise<void> {
  const files = await connection.query(
    `SELECT f.id FROM platen_campaign_files f LEFT JOIN campaigns c ON c.id = f.campaign_id
     WHERE (c.id IS NULL AND f.changed_at < now() - interval '${withoutCampaign}')
       OR (f.id <> c.id AND f.changed_at < now() - interval '${withoutRun}' AND NOT EXISTS (
         SELECT 1 FROM campaign_runs r WHERE r.campaign_id = c.id AND position(f.id IN r.files_json) > 0))`,
  );
  for (const [file] of files) await deleteFile(connection, String(file));
}

/** Counts the parts of all files and combines their digests. Rejects with `IO` if a part does not match its digest. */
export async function digestFiles(connection: Connection): Promise<TableDigest> {
  const all = createHash('sha256');
  let rows = 0;
  const files = await connection.query('SELECT id FROM platen_campaign_files ORDER BY id');
  for (const [id] of files) {
    for (let number = 0; ; number += partsAtOnce) {
      const parts = await connection.query(
        `SELECT number, digest, encode(sha256(bytes), 'hex') FROM platen_campaign_parts
         WHERE file_id = $1 AND number >= $2 AND number < $2 + ${partsAtOnce} ORDER BY number`,
        [id ?? null, number],
      );
      for (const [part, digest, actual] of parts) {
        if (digest !== actual) throw damaged(String(id));
        all.update(`${String(id)} ${String(part)} ${String(digest)}\n`);
      }
      rows += parts.length;
      if (parts.length < partsAtOnce) break;
    }
  }
  return { name: 'files of campaigns', rows, digest: all.digest('hex') };
}

async function deleteFile(connection: Connection, id: string): Promise<void> {
  await deleteParts(connection, id);
  await connection.query('DELETE FROM platen_campaign_files WHERE id = $1', [id]);
}

async function deleteParts(connection: Connection, id: string): Promise<void> {
  for (;;) {
    const deleted = await connection.query(
      `DELETE FROM platen_campaign_parts WHERE file_id = $1 AND number IN (
         SELECT number FROM platen_campaign_parts WHERE file_id = $1 LIMIT ${partsAtOnce}) RETURNING number`,
      [id],
    );
    if (deleted.length === 0) return;
  }
}

function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

function damaged(id: string): StoreError {
  return new StoreError('IO', `The file ${id} of the shared database is damaged.`);
}
