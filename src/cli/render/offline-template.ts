/** Loads a template file as a published version with its images in memory. */
import { isUid } from '#language/uid.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { OrganizationFontFamily, SourceImage } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import { unpublishedLink } from '../../store/template-link.ts';
import { documentCid, partSizes } from '../../store/template-document.ts';
import { mapImages, readImage } from '../../store/template-images.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { drawSvg, isSvg, readFileHeader } from './svg-images.ts';
import { readImageHeader } from '../../images/sniff/sniff-image.ts';

/** A template without an organization. */
export interface OfflineTemplate {
  published: PublishedTemplate;
  /** The images by id: `asset:` and the SHA-256. */
  assets: ReadonlyMap<string, SourceImage>;
  /** Converts a value: a path for an image variable becomes the id of the file; other texts stay. */
  valueOf(name: string, text: string): Promise<string>;
}

/** The uid if the file name is no valid uid. */
const uidDefault = 'template';

/**
 * Reads the image files of the document at `path`. `fonts` are those of the organization. Paths in values are relative
 * to `startDirectory`.
 */
export async function loadOfflineTemplate(
  path: string,
  document: Template,
  startDirectory: string,
  fonts: readonly OrganizationFontFamily[],
): Promise<OfflineTemplate> {
  const assets = new Map<string, SourceImage>();
  const keep = async (bytes: Uint8Array, where: string): Promise<string> => {
    const digest = createHash('sha256').update(bytes).digest('hex');
    assets.set(`asset:${digest}`, await toSource(bytes, digest, where));
    return `asset:${digest}`;
  };
  const folder = { directory: dirname(path), readHeader: readFileHeader };
  const files = new Map<string, Uint8Array>();
  mapImages(document, (reference) => {
    files.set(reference, readImage(folder, reference, `"${reference}"`).bytes);
    return reference;
  });
  const ids = new Map<string, string>();
  for (const [reference, bytes] of files) ids.set(reference, await keep(bytes, `"${reference}"`));
  const stored = mapImages(document, (reference) => ids.get(reference) ?? reference);
  const published = toPublished(basename(path, '.json'), stored, fonts);
  return {
    published,
    assets,
    async valueOf(name, text) {
      const isPath = /^\.{0,2}\//.test(text);
      if (published.variables.get(name)?.type !== 'image' || !isPath) return text;
      return keep(readFileSync(resolve(startDirectory, text)), `--set ${name}: ${text}`);
    },
  };
}

/** Loads an image file into shared memory; for an SVG, its drawing. */
async function toSource(bytes: Uint8Array, digest: string, where: string): Promise<SourceImage> {
  if (isSvg(bytes)) return drawSvg(bytes, where);
  const header = readImageHeader(bytes);
  if (header === undefined) throw new CommandError(exitCodes.problems, `${where} is no image.`);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  return { digest, ...header, bytes: shared };
}

function toPublished(
  fileUid: string,
  document: Template,
  fonts: readonly OrganizationFontFamily[],
): PublishedTemplate {
  const uid = isUid(fileUid) ? fileUid : uidDefault;
  const documentJson = JSON.stringify(document);
  const cid = documentCid(documentJson);
  const link = unpublishedLink('org_offline', uid, 1, document);
  return {
    ...link,
    link,
    cid,
    templateKey: `org_offline:${cid}`,
    ...partSizes(document, documentJson),
    variables: new Map(document.variables.map((variable) => [variable.name, variable])),
    fonts,
  };
}
