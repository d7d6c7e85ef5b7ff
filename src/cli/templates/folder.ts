/** A folder of templates for people and for git: a readable JSON file each, their pictures, and what they were when pulled. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from '#language/schema/template.ts';
import { readImageHeader } from '../../images/sniff/sniff-image.ts';
import { documentCid } from '../../store/template-document.ts';
import { mapPictures, readPicture } from '../../store/template-pictures.ts';
import { documentText, inSchemaOrder } from './json-document.ts';
import { readTemplateFile } from './read.ts';
import type { FileProblem } from './read.ts';
import { isSvg, readPictureHeader } from '../render/svg-images.ts';
import { writeWhole } from '../write-file.ts';

/** A template of the folder. */
export interface FolderTemplate {
  uid: string;
  /** As in the file: pictures are named `./pictures/…`. */
  document: Template;
  /** Files beside the document by the asset that they become, `asset:` and the SHA-256. */
  pictures: ReadonlyMap<string, { reference: string; bytes: Uint8Array }>;
  /** What is stored for it: assets in place of files, properties in order. */
  storedJson: string;
  /** Content id of `storedJson`. */
  content: string;
}

/** What a template was when it was last pulled or pushed. */
export interface LockEntry {
  /** Content id of the draft in the database. */
  cid: string;
  /** Content id of the file's content. */
  content: string;
}

/** One line a template, so that git merges it as it merges the files. */
const lockName = 'platen.lock';
const lockHead =
  '# Written by platen templates pull and push; belongs into version control: uid, draft, content.';

/** Extensions of picture files by what their header says. */
const extensions: Readonly<Record<string, string>> = { jpeg: 'jpg' };

/** Digits of a picture's SHA-256 in its file's name: 8, and more where those are another picture's. */
const nameDigits = [8, 16, 64];

const assetPrefix = 'asset:';

/** Uids of the folder's documents, in order; none when there is no such folder. */
export function listFolder(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .toSorted();
}

/** Reads one template with its pictures; what is wrong with it comes back as problems. */
export async function readFolderTemplate(
  directory: string,
  uid: string,
): Promise<FolderTemplate | { problems: FileProblem[]; isMissing: boolean }> {
  const path = join(directory, `${uid}.json`);
  const read = await readTemplateFile(path);
  if (!read.ok) return read;
  const { document } = read;
  const pictures = new Map<string, { reference: string; bytes: Uint8Array }>();
  const folder = { directory, readHeader: readPictureHeader };
  const stored = mapPictures(document, (reference) => {
    const { bytes } = readPicture(folder, reference, `${path}: "${reference}"`);
    const id = `${assetPrefix}${createHash('sha256').update(bytes).digest('hex')}`;
    pictures.set(id, { reference, bytes });
    return id;
  });
  const storedJson = JSON.stringify(inSchemaOrder(stored));
  return { uid, document, pictures, storedJson, content: documentCid(storedJson) };
}

/** Content id of a stored document, whatever the order in which its properties are. */
export function contentOf(stored: Template): string {
  return documentCid(JSON.stringify(inSchemaOrder(stored)));
}

/** The ids of the assets that a stored document names. */
export function assetIds(stored: Template): string[] {
  const ids = new Set<string>();
  mapPictures(
    stored,
    (id) => {
      if (/^asset:[0-9a-f]{64}$/.test(id)) ids.add(id);
      return id;
    },
    assetPrefix,
  );
  return [...ids];
}

/** The text of a stored document's file; `references` names the file of each asset. */
export function fileText(stored: Template, references: ReadonlyMap<string, string>): string {
  return documentText(mapPictures(stored, (id) => references.get(id) ?? id, assetPrefix));
}

/** Writes a picture, under a name that comes from its content, unless it is there; returns how a document names it. */
export function writePicture(directory: string, id: string, bytes: Uint8Array): string {
  const digest = id.slice(assetPrefix.length);
  const format = isSvg(bytes) ? 'svg' : (readImageHeader(bytes)?.format ?? 'bin');
  for (const digits of nameDigits) {
    const reference = `./pictures/${digest.slice(0, digits)}.${extensions[format] ?? format}`;
    const path = join(directory, reference);
    if (!existsSync(path)) writeWhole(path, bytes);
    if (createHash('sha256').update(readFileSync(path)).digest('hex') === digest) return reference;
  }
  throw new Error(`Every name for ${id} in ${directory}/pictures is another picture's.`);
}

/** The lock file's entries by uid; empty when there is none. A line that is none is left out: the template then counts as never pulled. */
export function readLock(directory: string): Map<string, LockEntry> {
  const path = join(directory, lockName);
  const entries = new Map<string, LockEntry>();
  if (!existsSync(path)) return entries;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, uid, cid, content] = /^([\w-]{1,64}) ([0-9a-f]{32}) ([0-9a-f]{32})$/.exec(line) ?? [];
    if (uid === undefined || cid === undefined || content === undefined) continue;
    entries.set(uid, { cid, content });
  }
  return entries;
}

/** Writes the lock file in the order of uids, if it says anything new. */
export function writeLock(directory: string, entries: ReadonlyMap<string, LockEntry>): void {
  const lines = [...entries]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([uid, { cid, content }]) => `${uid} ${cid} ${content}`);
  writeIfNew(join(directory, lockName), `${[lockHead, ...lines].join('\n')}\n`);
}

/** Leaves a file alone that has this very text: its time of change is something to tools. True when it was written. */
export function writeIfNew(path: string, text: string): boolean {
  if (readIfThere(path) === text) return false;
  writeWhole(path, text);
  return true;
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
