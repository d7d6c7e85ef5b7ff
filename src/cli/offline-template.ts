/** A template file as the renderer wants it: like a published version, its pictures in memory instead of a database. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { OwnFontFamily, SourceImage } from '#shared/render-job.ts';
import type { Template } from '#shared/template-schema.ts';
import { readImageHeader } from '../images/sniff-image.ts';
import type { AssetHeader } from '../templates/asset-store.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';
import { documentCid } from '../templates/template-document.ts';
import { mapPictures, readPicture } from '../templates/template-pictures.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

/** A template of nobody's. */
export interface OfflineTemplate {
  published: PublishedTemplate;
  /** The pictures by id, `asset:` and the SHA-256. */
  assets: ReadonlyMap<string, SourceImage>;
  /** A variable's value: for an image variable that is given a path, the file's id; else as it stands. */
  valueOf(name: string, text: string): string;
}

/** What takes the place of a uid where a file's name can be none. */
const uidDefault = 'template';

/** Reads the pictures beside the file `path`, whose checked document is given; `fonts` are those of its organization. Paths in values are relative to `startDirectory`. */
export function loadOfflineTemplate(
  path: string,
  document: Template,
  startDirectory: string,
  fonts: readonly OwnFontFamily[],
): OfflineTemplate {
  const assets = new Map<string, SourceImage>();
  const keep = (bytes: Uint8Array, header: AssetHeader): string => {
    const digest = createHash('sha256').update(bytes).digest('hex');
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
    shared.set(bytes);
    assets.set(`asset:${digest}`, { digest, ...header, bytes: shared });
    return `asset:${digest}`;
  };
  const folder = { directory: dirname(path), readHeader: readImageHeader };
  const stored = mapPictures(document, (reference) => {
    const { bytes, header } = readPicture(folder, reference, `"${reference}"`);
    return keep(bytes, header);
  });
  const published = toPublished(basename(path, '.json'), stored, fonts);
  return {
    published,
    assets,
    valueOf(name, text) {
      const isPath = /^\.{0,2}\//.test(text);
      if (published.variables.get(name)?.type !== 'image' || !isPath) return text;
      const bytes = readFileSync(resolve(startDirectory, text));
      const header = readImageHeader(bytes);
      if (header !== undefined) return keep(bytes, header);
      throw new CommandError(exitCodes.problems, `--set ${name}: ${text} is no image.`);
    },
  };
}

function toPublished(
  fileUid: string,
  document: Template,
  fonts: readonly OwnFontFamily[],
): PublishedTemplate {
  const uid = /^[\w-]{1,64}$/.test(fileUid) ? fileUid : uidDefault;
  const documentJson = JSON.stringify(document);
  const cid = documentCid(documentJson);
  return {
    uid,
    organizationUid: 'org_offline',
    version: 1,
    cid,
    templateKey: `org_offline:${cid}`,
    documentJson,
    document,
    variables: new Map(document.variables.map((variable) => [variable.name, variable])),
    fonts,
    linkAuth: document.linkAuth ?? 'open',
    pinned: false,
    isCurrent: true,
  };
}
