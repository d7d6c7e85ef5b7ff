/** Publishes a folder of template documents together with the pictures that stand beside them. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { checkTemplate } from '#shared/template.ts';
import type { Layer } from '#shared/layer-schemas.ts';
import type { Template } from '#shared/template-schema.ts';
import { templateLimits } from '#shared/template-limits.ts';
import type { AssetHeader, AssetStore } from './asset-store.ts';
import { assetBytesMax } from './asset-store.ts';
import type { Database } from './database.ts';
import { writeTransaction } from './database.ts';
import { errorCodeOf, StoreError, storeErrors } from './store-error.ts';
import type { PublishedVersion, TemplateStore } from './template-store.ts';

export interface PublishDirectoryOptions {
  db: Database;
  templates: TemplateStore;
  assets: AssetStore;
  organizationUid: string;
  /** Its `*.json` are template documents, `hello.json` that of uid `hello`; folders in it hold pictures. */
  directory: string;
  /** Reads an image file's header; undefined when it is none that can be drawn. */
  readHeader: (bytes: Uint8Array) => AssetHeader | undefined;
}

/** The most documents that one folder may hold: a wrong folder is told before it is read. */
const documentsMax = 1000;

const fileNamePattern = /^([A-Za-z0-9_-]{1,64})\.json$/;

/** A document read and checked, with every picture that it names. */
interface PreparedTemplate {
  uid: string;
  document: Template;
  pictures: ReadonlyMap<string, PreparedPicture>;
}

interface PreparedPicture {
  bytes: Uint8Array;
  header: AssetHeader;
}

/** The uids of a folder's documents, in order. `INVALID` for a file name that is no uid. */
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
 * Saves and publishes the documents of a folder, those of `uids` or all, in one transaction: all
 * are published or none. A string `./pictures/x.jpg` as an image layer's `src`, a fill's `image` or
 * an image variable's `value` is read beside the document, stored as an asset and replaced by its id.
 *
 * Everything is read and checked before the database is touched. Throws a `StoreError`: `INVALID`
 * names the file and the JSON path of each mistake; nothing is stored then.
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
  { uid, document, pictures }: PreparedTemplate,
): PublishedVersion & { uid: string } {
  const ids = new Map<string, string>();
  for (const [reference, { bytes, header }] of pictures) {
    ids.set(reference, assets.saveAsset(organizationUid, bytes, header));
  }
  const stored = mapPictures(document, (reference) => ids.get(reference) ?? reference);
  templates.saveDraft(organizationUid, uid, stored, JSON.stringify(stored));
  const version = templates.publish(organizationUid, uid);
  if (version === undefined) throw new Error(`Template ${uid} is gone although it was just saved.`);
  return { uid, ...version };
}

function prepareTemplate(options: PublishDirectoryOptions, uid: string): PreparedTemplate {
  const name = `${uid}.json`;
  const path = join(options.directory, name);
  const document = storeErrors(`Reading ${path}`, () => parseDocument(path));
  const pictures = new Map<string, PreparedPicture>();
  mapPictures(document, (reference, jsonPath) => {
    const where = `${name}: ${jsonPath} "${reference}"`;
    pictures.set(reference, pictures.get(reference) ?? readPicture(options, reference, where));
    return reference;
  });
  return { uid, document, pictures };
}

function parseDocument(path: string): Template {
  const name = basename(path);
  const { size } = statSync(path);
  if (size > templateLimits.documentBytesMax) {
    throw invalid(
      name,
      `has ${size} bytes, at most ${templateLimits.documentBytesMax} are allowed`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid(name, `is no JSON: ${error.message}`);
  }
  const checked = checkTemplate(value);
  if (checked.ok) return checked.template;
  const lines = checked.problems.map((problem) => `${name}: ${problem.path} ${problem.message}`);
  throw new StoreError('INVALID', lines.join('\n'));
}

type ReplacePicture = (reference: string, jsonPath: string) => string;

/** A copy of the document in which every reference to a picture beside it is what `replace` says. */
function mapPictures(document: Template, replace: ReplacePicture): Template {
  const replaceIn: ReplacePicture = (text, jsonPath) =>
    text.startsWith('./') ? replace(text, jsonPath) : text;
  return {
    ...document,
    variables: document.variables.map((variable, index) =>
      variable.type === 'image'
        ? { ...variable, value: replaceIn(variable.value, `variables[${index}].value`) }
        : variable,
    ),
    layers: mapLayers(document.layers, '', replaceIn),
  };
}

/** Layers and fills can be images, and a group holds layers, at most eight groups deep. */
function mapLayers(layers: Layer[], parentPath: string, replace: ReplacePicture): Layer[] {
  return layers.map((layer, index) => {
    const path = `${parentPath}layers[${index}]`;
    const copy = { ...layer };
    if (copy.type === 'image') copy.src = replace(copy.src, `${path}.src`);
    if (copy.type === 'group') copy.layers = mapLayers(copy.layers, `${path}.`, replace);
    if ('fill' in copy && typeof copy.fill === 'object' && 'image' in copy.fill) {
      copy.fill = { ...copy.fill, image: replace(copy.fill.image, `${path}.fill.image`) };
    }
    return copy;
  });
}

/**
 * Reads one picture. A document from elsewhere could name `./../../etc/passwd`, or a link to it,
 * to publish a file of the machine: only regular files that really lie in the folder are read.
 */
function readPicture(
  { directory, readHeader }: PublishDirectoryOptions,
  reference: string,
  where: string,
): PreparedPicture {
  const parts = reference.split('/').slice(1);
  if (parts.some((part) => part === '' || part === '..' || /[\\\0]/.test(part))) {
    throw invalid(where, 'must stay in the folder: ./pictures/photo.jpg');
  }
  const path = storeErrors(`Reading ${where}`, () => realPathOf(join(directory, ...parts)));
  if (path === undefined) throw invalid(where, 'does not exist in the folder');
  if (!path.startsWith(realpathSync(directory) + sep)) {
    throw invalid(where, 'is a link to a file outside the folder; put the file itself there');
  }
  const facts = statSync(path);
  if (!facts.isFile() || facts.size > assetBytesMax) {
    throw invalid(where, `must be a file of at most ${assetBytesMax} bytes`);
  }
  const bytes = storeErrors(`Reading ${where}`, () => readFileSync(path));
  const header = readHeader(bytes);
  if (header === undefined) throw invalid(where, 'is no image that can be drawn');
  return { bytes, header };
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

function invalid(name: string, problem: string): StoreError {
  return new StoreError('INVALID', `${name} ${problem}.`);
}
