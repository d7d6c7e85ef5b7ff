/** The sample templates that come with the service: anybody may look at one, and make a copy of it their own. */
import type { SourceImage } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import { digestOf } from './assets/asset-row.ts';
import type { AssetStore } from './assets/asset-store.ts';
import type { Database } from './database/database.ts';
import { writeTransaction } from './database/database.ts';
import { listDirectory, prepareTemplate } from './publish.ts';
import type { PictureFile, PictureFolder } from './template-pictures.ts';
import { mapPictures } from './template-pictures.ts';
import type { SavedDraft, TemplateStore } from './template-store.ts';

/** One sample; its document names its pictures as the assets that they become with a copy. */
export interface Sample {
  uid: string;
  document: Template;
  /** Its pictures by the ids of those assets. */
  pictures: ReadonlyMap<string, PictureFile>;
}

/** Samples of a folder. It is read when one is first asked for; `INVALID` for a folder that is no such one. */
export interface SampleLibrary {
  /** By their uids, in order. */
  list(): readonly Sample[];
  find(uid: string): Sample | undefined;
  /** A picture of any sample by its id, in shared memory that nobody writes to: a preview of a sample needs no copy. */
  findPicture(id: string): SourceImage | undefined;
}

/** What is copied into. */
export interface SampleCopyStores {
  db: Database;
  assets: Pick<AssetStore, 'saveAsset'>;
  templates: Pick<TemplateStore, 'createDraft'>;
}

interface Loaded {
  samples: readonly Sample[];
  images: ReadonlyMap<string, SourceImage>;
}

/** Samples change with the service alone: they are read once. */
export function createSampleLibrary(folder: PictureFolder): SampleLibrary {
  let loaded: Loaded | undefined;
  const load = (): Loaded => (loaded ??= loadSamples(folder));
  return {
    list: () => load().samples,
    find: (uid) => load().samples.find((sample) => sample.uid === uid),
    findPicture: (id) => load().images.get(id),
  };
}

function loadSamples(folder: PictureFolder): Loaded {
  const images = new Map<string, SourceImage>();
  const samples = listDirectory(folder.directory).map((uid): Sample => {
    const prepared = prepareTemplate(folder, uid);
    const pictures = new Map<string, PictureFile>();
    const document = mapPictures(prepared.document, (reference) => {
      const file = prepared.pictures.get(reference);
      if (file === undefined) return reference;
      const digest = digestOf(file.bytes);
      const id = `asset:${digest}`;
      pictures.set(id, file);
      if (!images.has(id)) images.set(id, toSource(digest, file));
      return id;
    });
    return { uid, document, pictures };
  });
  return { samples, images };
}

function toSource(digest: string, { bytes, header }: PictureFile): SourceImage {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  return { ...header, digest, bytes: shared };
}

/**
 * Saves a sample as a new draft of the organization, with its pictures as assets, in one transaction. Throws what
 * `createDraft` and `saveAsset` throw.
 */
export function copySample(
  { db, assets, templates }: SampleCopyStores,
  organizationUid: string,
  { uid: sampleUid, document, pictures }: Sample,
  copy: { uid?: string | undefined; name?: string | undefined },
): SavedDraft {
  const named = copy.name === undefined ? document : { ...document, name: copy.name };
  return writeTransaction(db, `Copying the sample ${sampleUid}`, () => {
    for (const { bytes, header } of pictures.values()) {
      assets.saveAsset(organizationUid, bytes, header);
    }
    return templates.createDraft(organizationUid, copy.uid, named, JSON.stringify(named));
  });
}
