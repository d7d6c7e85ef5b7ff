/** Keeps a reserve of the disk free, so that the database can write. */
import { statfs } from 'node:fs/promises';
import { AppError } from '../../../foundation/errors.ts';

const gibibyte = 1024 ** 3;

/** Bytes that results of campaigns leave free on the disk. */
export const diskReserveBytes = gibibyte;

/** Throws STORAGE_UNAVAILABLE if the disk of `folder` has less than `freeBytesMin` free. */
export async function requireDiskSpace(
  folder: string,
  freeBytesMin = diskReserveBytes,
): Promise<void> {
  const bytes = await freeBytes(folder);
  if (bytes < freeBytesMin) throw diskFull(bytes, freeBytesMin);
}

/** Bytes of the disk of `folder` that the service may write. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function diskFull(free: number, min: number): AppError {
  const [freeGibibytes, minGibibytes] = [free, min].map((bytes) => (bytes / gibibyte).toFixed(1));
  const message = `The disk has ${freeGibibytes} GiB free, and files stop at ${minGibibytes}: free some space, delete campaigns, or use a smaller format, and start the run again.`;
  return new AppError('STORAGE_UNAVAILABLE', message, { reason: 'disk' });
}
