/** The pictures that lie beside a template document: finding their references in it, and reading their files. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { AssetHeader } from './assets/asset-store.ts';
import { assetBytesMax } from './assets/asset-store.ts';
import { errorCodeOf } from '../foundation/errors.ts';
import { StoreError, storeErrors } from './database/store-error.ts';
import type { TemplateProblem } from '#language/check/template-problems.ts';
import type { Database } from './database/database.ts';

/** An image file with what its header says. */
export interface PictureFile {
  bytes: Uint8Array;
  header: AssetHeader;
}

/** A folder of documents and pictures. */
export interface PictureFolder {
  directory: string;
  /** Reads an image file's header; undefined when it is none that can be drawn. */
  readHeader: (bytes: Uint8Array) => AssetHeader | undefined;
}

/** How a document names a file beside it. */
const besidePrefix = './';

/** What stands for a reference, which the document has at `jsonPath`. */
export type ReplacePicture = (reference: string, jsonPath: string) => string;

/** A copy of the document in which every string that names a picture and starts with `prefix` is what `replace` says. */
export function mapPictures(
  document: Template,
  replace: ReplacePicture,
  prefix = besidePrefix,
): Template {
  const replaceIn: ReplacePicture = (text, jsonPath) =>
    text.startsWith(prefix) ? replace(text, jsonPath) : text;
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
 * Reads one picture that a document in `directory` names by `reference`. A document from elsewhere could name `./../../etc/passwd`, or a link to it,
 * to publish a file of the machine: only regular files that really lie in the folder are read.
 * Throws a `StoreError` whose message starts with `where`.
 */
export function readPicture(
  { directory, readHeader }: PictureFolder,
  reference: string,
  where: string,
): PictureFile {
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

// Finds the assets that a template document names, and says which of them an organization does not have.

const assetPrefix = 'asset:';

/**
 * The assets of a document with the JSON path of each place that names one: layers, fills, and the defaults of
 * image variables. What a variable completes (`asset:{{photo}}`) is not known before it is drawn, and left out.
 */
function assetReferences(document: Template): [path: string, id: string][] {
  const references: [path: string, id: string][] = [];
  mapPictures(
    document,
    (id, path) => {
      if (!id.includes('{{')) references.push([path, id.trim()]);
      return id;
    },
    assetPrefix,
  );
  return references;
}

/** One problem for each place of a document that names an asset which its organization does not have. */
export function createAssetCheck(
  db: Database,
): (organizationUid: string, document: Template) => TemplateProblem[] {
  const exists = db
    .prepare<[string, string], number>(
      'SELECT EXISTS (SELECT 1 FROM assets WHERE organization_uid = ? AND digest = ?)',
    )
    .pluck();
  return (organizationUid, document) =>
    assetReferences(document)
      .filter(([, id]) => exists.get(organizationUid, id.slice(assetPrefix.length)) !== 1)
      .map(([path, id]) => ({
        path,
        message: `is ${JSON.stringify(id.slice(0, 80))}, expected an asset of this organization: upload the picture, then name it by the id that the upload answers`,
      }));
}
