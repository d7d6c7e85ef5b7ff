/** Finds the image references of a template document, and reads image files beside it. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { imageAddresses } from '#language/layers.ts';
import { isParent } from '#language/layer-tree.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { ListVariable, Template } from '#language/schema/template.ts';
import type { AssetHeader } from './assets/asset-store.ts';
import { assetBytesMax } from './assets/asset-row.ts';
import { errorCodeOf } from '../foundation/errors.ts';
import { StoreError, storeErrors } from './database/store-error.ts';
import type { TemplateProblem } from '#language/check/template-problems.ts';
import type { Database } from './database/database.ts';

/** An image file and the data of its header. */
export interface ImageFile {
  bytes: Uint8Array;
  header: AssetHeader;
}

/** A folder of documents and images. */
export interface ImageFolder {
  directory: string;
  /** Reads the header of an image file; undefined if the file cannot be rendered. */
  readHeader: (bytes: Uint8Array) => AssetHeader | undefined;
}

/** Prefix of a reference to a file in the document's folder. */
const besidePrefix = './';

/** Returns the replacement of a reference at `jsonPath`. */
export type ReplaceImage = (reference: string, jsonPath: string) => string;

/** Copies the document and replaces each image reference that starts with `prefix`. */
export function mapImages(
  document: Template,
  replace: ReplaceImage,
  prefix = besidePrefix,
): Template {
  const replaceIn: ReplaceImage = (text, jsonPath) =>
    text.startsWith(prefix) ? replace(text, jsonPath) : text;
  return {
    ...document,
    variables: document.variables.map((variable, index) => {
      const path = `variables[${index}]`;
      if (variable.type === 'list') return mapListImages(variable, path, replaceIn);
      if (variable.type !== 'image') return variable;
      return { ...variable, value: replaceIn(variable.value, `${path}.value`) };
    }),
    layers: mapLayers(document.layers, '', replaceIn),
  };
}

/** Replaces references in the image fields of a list: in their defaults, and in the values of items. */
function mapListImages(list: ListVariable, path: string, replace: ReplaceImage): ListVariable {
  const names = list.fields.filter(({ type }) => type === 'image').map(({ name }) => name);
  const fields = list.fields.map((field, index) =>
    field.type === 'image'
      ? { ...field, value: replace(field.value, `${path}.fields[${index}].value`) }
      : field,
  );
  const value = list.value.map((item, index) => {
    const images = names
      .filter((name) => Object.hasOwn(item, name))
      .map((name) => [name, replace(String(item[name]), `${path}.value[${index}].${name}`)]);
    return { ...item, ...Object.fromEntries(images) } as typeof item;
  });
  return { ...list, fields, value };
}

/** Replaces references in image layers and fills. Groups nest at most eight deep. */
function mapLayers(layers: Layer[], parentPath: string, replace: ReplaceImage): Layer[] {
  return layers.map((layer, index) => {
    const path = `${parentPath}layers[${index}]`;
    let copy = { ...layer };
    if (isParent(copy)) copy.layers = mapLayers(copy.layers, `${path}.`, replace);
    for (const [names, address] of imageAddresses(layer)) {
      copy = setAt(copy, names, replace(address, [path, ...names].join('.')));
    }
    return copy;
  });
}

/** Copies an object and sets the value at an existing path. */
function setAt<Whole extends object>(whole: Whole, path: readonly string[], value: string): Whole {
  const [name = '', ...rest] = path;
  const inner: unknown = Reflect.get(whole, name);
  const isLast = rest.length === 0 || typeof inner !== 'object' || inner === null;
  return { ...whole, [name]: isLast ? value : setAt(inner, rest, value) };
}

/**
 * Reads one image that a document in `directory` names by `reference`. Reads only regular files inside the folder: a
 * foreign document could otherwise name `./../../etc/passwd`, or a symbolic link to it, and publish that file. Throws a
 * `StoreError` whose message starts with `where`.
 */
export function readImage(
  { directory, readHeader }: ImageFolder,
  reference: string,
  where: string,
): ImageFile {
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

// References of documents to assets, and a check for missing assets.

const assetPrefix = 'asset:';

/**
 * The assets of a document, with the JSON path of each reference: layers, fills, and defaults of image variables. Omits
 * a reference with a binding (`asset:{{photo}}`), which is unknown before a render.
 */
function assetReferences(document: Template): [path: string, id: string][] {
  const references: [path: string, id: string][] = [];
  mapImages(
    document,
    (id, path) => {
      if (!id.includes('{{')) references.push([path, id.trim()]);
      return id;
    },
    assetPrefix,
  );
  return references;
}

/** Creates a check that returns one problem for each reference to an asset that the organization lacks. */
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
        message: `is ${JSON.stringify(id.slice(0, 80))}, expected an asset of this organization: upload the image, then name it by the id that the upload answers`,
      }));
}
