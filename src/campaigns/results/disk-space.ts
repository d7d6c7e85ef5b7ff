/** Keeps a reserve of the disk free: the database must be able to write. */
import { statfs } from 'node:fs/promises';
import { AppError } from '../../foundation/errors.ts';

const gibibyte = 1024 ** 3;

/** Bytes that results leave free. */
export const diskReserveBytes = gibibyte;

/** Throws STORAGE_UNAVAILABLE if the disk of `folder` has less than `freeBytesMin` free. */
export async function requireDiskSpace(
  folder: string,
  freeBytesMin = diskReserveBytes,
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < freeBytesMin) throw diskFull(bavail * bsize, freeBytesMin);
}

function diskFull(freeBytes: number, freeBytesMin: number): AppError {
  const [free, min] = [freeBytes, freeBytesMin].map((bytes) => (bytes / gibibyte).toFixed(1));
  const message = `The disk has ${free} GiB free, and files stop at ${min}: free some space, delete campaigns, or use a smaller format, and start the run again.`;
  return new AppError('STORAGE_UNAVAILABLE', message, { reason: 'disk' });
}
