/**
 * Reads and writes a folder of templates for editors and git. Each template has a JSON file and images; a lock file
 * holds their state.
 */
import { uidSource } from '#language/uid.ts';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from '#language/schema/template.ts';
import { readImageHeader } from '../../images/sniff/sniff-image.ts';
import { documentCid } from '../../store/template-document.ts';
import { mapImages, readImage } from '../../store/template-images.ts';
import { documentText, inSchemaOrder } from './json-document.ts';
import { readTemplateFile } from './read.ts';
import type { FileProblem } from './read.ts';
import { isSvg, readFileHeader } from '../render/svg-images.ts';
import { writeWhole } from '../files.ts';

/** A template of the folder. */
export interface FolderTemplate {
  uid: string;
  /** The document of the file, with images as `./pictures/…`. */
  document: Template;
  /** Image files by the id of their asset: `asset:` and the SHA-256. */
  images: ReadonlyMap<string, { reference: string; bytes: Uint8Array }>;
  /** The document as it is stored: with assets instead of files, and properties in the schema's order. */
  storedJson: string;
  /** Content id of `storedJson`. */
  content: string;
}

/** The state of a template at its last pull or push. */
export interface LockEntry {
  /** Content id of the draft in the database. */
  cid: string;
  /** Content id of the file's content. */
  content: string;
}

/** The lock file has a line for each template, so that git can merge it. */
const lockName = 'platen.lock';
const lockHead =
  '# Written by platen templates pull and push; belongs into version control: uid, draft, content.';

/** Extensions of image files that differ from the name of the format. */
const extensions: Readonly<Record<string, string>> = { jpeg: 'jpg' };

/** Digits of an image's SHA-256 in its file name: 8, or more if another image has the same ones. */
const nameDigits = [8, 16, 64];

const assetPrefix = 'asset:';

/** Uids of the folder's documents, sorted; empty for a missing folder. */
export function listFolder(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .toSorted();
}

/** Reads a template with its images. Returns the problems of the file instead of throwing them. */
export async function readFolderTemplate(
  directory: string,
  uid: string,
): Promise<FolderTemplate | { problems: FileProblem[]; isMissing: boolean }> {
  const path = join(directory, `${uid}.json`);
  const read = await readTemplateFile(path);
  if (!read.ok) return read;
  const { document } = read;
  const images = new Map<string, { reference: string; bytes: Uint8Array }>();
  const folder = { directory, readHeader: readFileHeader };
  const stored = mapImages(document, (reference) => {
    const { bytes } = readImage(folder, reference, `${path}: "${reference}"`);
    const id = `${assetPrefix}${createHash('sha256').update(bytes).digest('hex')}`;
    images.set(id, { reference, bytes });
    return id;
  });
  const storedJson = JSON.stringify(inSchemaOrder(stored));
  return { uid, document, images, storedJson, content: documentCid(storedJson) };
}

/** Content id of a stored document, independent of the order of its properties. */
export function contentOf(stored: Template): string {
  return documentCid(JSON.stringify(inSchemaOrder(stored)));
}

/** The ids of the assets in a stored document. */
export function assetIds(stored: Template): string[] {
  const ids = new Set<string>();
  mapImages(
    stored,
    (id) => {
      if (/^asset:[0-9a-f]{64}$/.test(id)) ids.add(id);
      return id;
    },
    assetPrefix,
  );
  return [...ids];
}

/** The text of a stored document's file. `references` holds the file of each asset. */
export function fileText(stored: Template, references: ReadonlyMap<string, string>): string {
  return documentText(mapImages(stored, (id) => references.get(id) ?? id, assetPrefix));
}

/** Writes an image, if it is missing, under a name from its digest. Returns the reference for documents. */
export function writeImage(directory: string, id: string, bytes: Uint8Array): string {
  const digest = id.slice(assetPrefix.length);
  const format = isSvg(bytes) ? 'svg' : (readImageHeader(bytes)?.format ?? 'bin');
  for (const digits of nameDigits) {
    const reference = `./pictures/${digest.slice(0, digits)}.${extensions[format] ?? format}`;
    const path = join(directory, reference);
    if (!existsSync(path)) writeWhole(path, bytes);
    if (createHash('sha256').update(readFileSync(path)).digest('hex') === digest) return reference;
  }
  throw new Error(`Every name for ${id} in ${directory}/pictures is the name of another image.`);
}

const lockLinePattern = new RegExp(`^(${uidSource}) ([0-9a-f]{32}) ([0-9a-f]{32})$`);

/** The entries of the lock file by uid. Templates of damaged lines count as never pulled. */
export function readLock(directory: string): Map<string, LockEntry> {
  const path = join(directory, lockName);
  const entries = new Map<string, LockEntry>();
  if (!existsSync(path)) return entries;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, uid, cid, content] = lockLinePattern.exec(line) ?? [];
    if (uid === undefined || cid === undefined || content === undefined) continue;
    entries.set(uid, { cid, content });
  }
  return entries;
}

/** Writes the lock file, sorted by uid, if it changed. */
export function writeLock(directory: string, entries: ReadonlyMap<string, LockEntry>): void {
  const lines = [...entries]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([uid, { cid, content }]) => `${uid} ${cid} ${content}`);
  writeIfNew(join(directory, lockName), `${[lockHead, ...lines].join('\n')}\n`);
}

/** Writes a file only if its text differs, because tools read its modification time. True if written. */
export function writeIfNew(path: string, text: string): boolean {
  if (readIfThere(path) === text) return false;
  writeWhole(path, text);
  return true;
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
