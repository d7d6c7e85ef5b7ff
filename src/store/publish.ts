/** Publishes a folder of trusted template documents and their images, such as the samples of the release. */
import { uidSource } from '#language/uid.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Template } from '#language/schema/template.ts';
import type { AssetStore } from './assets/asset-store.ts';
import type { Database } from './database/database.ts';
import { writeTransaction } from './database/database.ts';
import { StoreError, storeErrors } from './database/store-error.ts';
import type { ImageFile, ImageFolder } from './template-images.ts';
import { mapImages, readImage } from './template-images.ts';
import type { PublishedVersion, TemplateStore } from './template-store.ts';

/** `*.json` in the folder are template documents (`hello.json` has the uid `hello`); its subfolders contain images. */
export interface PublishDirectoryOptions extends ImageFolder {
  db: Database;
  templates: TemplateStore;
  assets: AssetStore;
  organizationUid: string;
}

/** Maximum number of documents in a folder, so that a wrong folder is reported before it is read. */
const documentsMax = 1000;

const fileNamePattern = new RegExp(String.raw`^(${uidSource})\.json$`);

/** A document and the images that it names. */
export interface PreparedTemplate {
  uid: string;
  document: Template;
  images: ReadonlyMap<string, ImageFile>;
}

/** The sorted uids of a folder's documents. `INVALID` for a file name that is not a uid. */
export function listDirectory(directory: string): string[] {
  const names = storeErrors(`Reading the folder ${directory}`, () => readdirSync(directory));
  const documents = names.filter((name) => name.endsWith('.json')).toSorted();
  if (documents.length > documentsMax) {
    throw invalid(directory, `holds ${documents.length} documents, at most ${documentsMax}`);
  }
  return documents.map((name) => {
    const uid = fileNamePattern.exec(name)?.[1];
    if (uid !== undefined) return uid;
    throw invalid(name, 'must be named <uid>.json, a uid being 1 to 64 of A-Z, a-z, 0-9, _ and -');
  });
}

/**
 * Saves and publishes the documents of a folder, those of `uids` or all, in one transaction. An image layer's `src`, a
 * fill's `image` or an image variable's `value` may name a file such as `./pictures/x.jpg`. The file is stored as an
 * asset, and its id replaces the name.
 *
 * The documents are not checked: tests check those of the release, and a check takes longer than the rest of the first
 * start. All files are read before the first write. Throws a `StoreError`: `INVALID` names the file, and the JSON path
 * of an image that cannot be read.
 */
export function publishDirectory(
  options: PublishDirectoryOptions,
  uids: readonly string[] = listDirectory(options.directory),
): (PublishedVersion & { uid: string })[] {
  const prepared = uids.map((uid) => prepareTemplate(options, uid));
  return writeTransaction(options.db, `Publishing ${options.directory}`, () =>
    prepared.map((template) => publishTemplate(options, template)),
  );
}

function publishTemplate(
  { organizationUid, templates, assets }: PublishDirectoryOptions,
  { uid, document, images }: PreparedTemplate,
): PublishedVersion & { uid: string } {
  const ids = new Map<string, string>();
  for (const [reference, { bytes, header }] of images) {
    ids.set(reference, assets.saveAsset(organizationUid, bytes, header));
  }
  const stored = mapImages(document, (reference) => ids.get(reference) ?? reference);
  templates.saveDraft(organizationUid, uid, stored, JSON.stringify(stored));
  const version = templates.publish(organizationUid, uid, { isTrusted: true });
  if (version === undefined) throw new Error(`Template ${uid} is gone although it was just saved.`);
  return { uid, ...version };
}

/**
 * Reads the document `uid` of a folder and its images. Reuses the images of `known` and adds new ones to it. Throws a
 * `StoreError` like `publishDirectory`.
 */
export function prepareTemplate(
  options: ImageFolder,
  uid: string,
  known = new Map<string, ImageFile>(),
): PreparedTemplate {
  const name = `${uid}.json`;
  const path = join(options.directory, name);
  const document = storeErrors(`Reading ${path}`, () => parseDocument(path));
  const images = new Map<string, ImageFile>();
  mapImages(document, (reference, jsonPath) => {
    const where = `${name}: ${jsonPath} "${reference}"`;
    const file = known.get(reference) ?? readImage(options, reference, where);
    known.set(reference, file);
    images.set(reference, file);
    return reference;
  });
  return { uid, document, images };
}

function parseDocument(path: string): Template {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Template;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid(basename(path), `is no JSON: ${error.message}`);
  }
}

function invalid(name: string, problem: string): StoreError {
  return new StoreError('INVALID', `${name} ${problem}.`);
}
