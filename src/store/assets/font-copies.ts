/**
 * Copies of organizations' fonts as files, a folder for each organization. All of it waits for the disk, so that a
 * thread of its own calls it.
 */
import { hash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isApart } from '../database/shared-port.ts';
import { StoreError } from '../database/store-error.ts';

/** Names a copy. */
export interface FontCopy {
  /** The folder of all copies, created at the first use with mode 0700. */
  directory: string;
  organizationUid: string;
  digest: string;
}

/**
 * `sound`: the copy was there. `written`: `bytes` are now those of all copies. `absent`: the organization does not have
 * the font. `apart`: only the shared database has it. `full`: renders in progress need the space.
 */
export type CopyOutcome =
  | { state: 'sound' | 'absent' | 'apart' | 'full' }
  | { state: 'written'; bytes: number };

/** Age in ms of the last load or write after which no render in progress needs a copy. */
const inUseMs = 60_000;
/** Bytes for which an organization always has space: the fonts of one document. */
const organizationBytesMin = 64 * 1024 * 1024;
/** A smaller copy takes as much of the space, so that the number of copies is limited too. */
const copyBytesMin = 128 * 1024;
/** Age in ms after which a temporary file belongs to a killed process. */
const draftMsMax = 60 * 60 * 1000;

const namePattern = /^([0-9a-f]{64})\.ttf$/;

export function copyPath({ directory, organizationUid, digest }: FontCopy): string {
  return join(directory, organizationUid, `${digest}.ttf`);
}

/**
 * Writes a copy unless it is there and sound. `read` reads the font from the database. Throws a `StoreError` `CORRUPT`
 * for a damaged font, and the errors of the disk.
 */
export function provideCopy(
  copy: FontCopy,
  bytesMax: number,
  read: () => Uint8Array | undefined,
): CopyOutcome {
  const path = copyPath(copy);
  if (isSound(path, copy.digest)) return { state: 'sound' };
  const bytes = read();
  if (bytes === undefined) return { state: 'absent' };
  if (isApart(bytes)) return { state: 'apart' };
  if (hash('sha256', bytes) !== copy.digest) {
    throw new StoreError(
      'CORRUPT',
      `Font ${copy.digest} is damaged in the database: restore the newest backup.`,
    );
  }
  const others = listCopies(copy.directory).filter((each) => each.path !== path);
  const evicted = findEvicted(others, copy.organizationUid, bytes.byteLength, bytesMax);
  if (evicted === undefined) return { state: 'full' };
  for (const each of evicted) rmSync(each.path, { force: true });
  write(path, bytes);
  const left = others.filter((each) => !evicted.includes(each));
  return { state: 'written', bytes: bytesOf(left) + bytes.byteLength };
}

/**
 * Removes the copies of killed processes, of deleted fonts and of earlier versions. `isStored` says whether the
 * organization has the font. Returns the bytes of the other copies.
 */
export function sweepCopies(
  directory: string,
  isStored: (organizationUid: string, digest: string) => boolean,
): number {
  const files = listFiles(directory);
  for (const { path, organizationUid, digest, usedMs } of files) {
    const isYoungDraft =
      digest === undefined && path.includes('.ttf-') && Date.now() - usedMs < draftMsMax;
    const isKept = digest === undefined ? isYoungDraft : isStored(organizationUid, digest);
    if (!isKept) rmSync(path, { force: true, recursive: true });
  }
  return bytesOf(listCopies(directory));
}

interface CopyFile {
  path: string;
  organizationUid: string;
  /** Undefined for a draft. */
  digest: string | undefined;
  sizeBytes: number;
  /** Time of the write or of the last load by a render host, ms since the epoch. */
  usedMs: number;
}

/**
 * The copies to remove for one of `neededBytes`: the organization with the most bytes loses the one that was not used
 * for longest. No organization loses any for a larger one, and a render in progress loses none. Undefined if there is
 * no space then, unless the organization has less than `organizationBytesMin`.
 */
function findEvicted(
  copies: readonly CopyFile[],
  organizationUid: string,
  neededBytes: number,
  bytesMax: number,
): CopyFile[] | undefined {
  const held = new Map([[organizationUid, spaceOf(neededBytes)]]);
  let total = spaceOf(neededBytes);
  for (const copy of copies) {
    held.set(copy.organizationUid, (held.get(copy.organizationUid) ?? 0) + spaceOf(copy.sizeBytes));
    total += spaceOf(copy.sizeBytes);
  }
  const heldBy = (uid: string): number => held.get(uid) ?? 0;
  const idle = copies
    .filter(({ usedMs }) => Date.now() - usedMs > inUseMs)
    .toSorted((a, b) => a.usedMs - b.usedMs);
  const evicted: CopyFile[] = [];
  while (total > bytesMax) {
    const [next] = idle
      .filter((copy) => heldBy(copy.organizationUid) >= heldBy(organizationUid))
      .toSorted((a, b) => heldBy(b.organizationUid) - heldBy(a.organizationUid));
    if (next === undefined) {
      return heldBy(organizationUid) <= organizationBytesMin ? evicted : undefined;
    }
    idle.splice(idle.indexOf(next), 1);
    evicted.push(next);
    held.set(next.organizationUid, heldBy(next.organizationUid) - spaceOf(next.sizeBytes));
    total -= spaceOf(next.sizeBytes);
  }
  return evicted;
}

function spaceOf(sizeBytes: number): number {
  return Math.max(sizeBytes, copyBytesMin);
}

function isSound(path: string, digest: string): boolean {
  try {
    const isSame = hash('sha256', readFileSync(path)) === digest;
    const now = new Date();
    if (isSame) utimesSync(path, now, now);
    return isSame;
  } catch {
    return false;
  }
}

/** Writes to a temporary name, then renames. It is not synced: hosts check the digest, and find damage by a power cut. */
function write(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}-${process.pid}`;
  try {
    writeFileSync(draft, bytes, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function bytesOf(copies: readonly CopyFile[]): number {
  return copies.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
}

function listCopies(directory: string): CopyFile[] {
  return listFiles(directory).filter(({ digest }) => digest !== undefined);
}

/** Copies, drafts, and files of earlier versions, which have no folder of their organization. */
function listFiles(directory: string): CopyFile[] {
  return namesIn(directory).flatMap((organizationUid) => {
    const folder = join(directory, organizationUid);
    if (organizationUid.includes('.ttf')) return fileAt(folder, '', undefined);
    return namesIn(folder).flatMap((name) =>
      fileAt(join(folder, name), organizationUid, namePattern.exec(name)?.[1]),
    );
  });
}

function fileAt(path: string, organizationUid: string, digest: string | undefined): CopyFile[] {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return [];
  return [{ path, organizationUid, digest, sizeBytes: facts.size, usedMs: facts.mtimeMs }];
}

/** The names in a folder; none if it is missing or cannot be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
