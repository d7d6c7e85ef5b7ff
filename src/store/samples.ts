/** The bundled sample templates, which every organization may read and copy. */
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

/** One sample. Its document names its images as the assets of a copy. */
export interface Sample {
  uid: string;
  document: Template;
  /** Its images by the ids of these assets. */
  pictures: ReadonlyMap<string, PictureFile>;
}

/** Samples of a folder, which is read at the first use; `INVALID` for a folder without samples. */
export interface SampleLibrary {
  /** Sorted by uid. */
  list(): readonly Sample[];
  find(uid: string): Sample | undefined;
  /** An image of any sample by its id, in read-only shared memory, so that a preview of a sample needs no copy. */
  findPicture(id: string): SourceImage | undefined;
}

/** The stores that receive a copy. */
export interface SampleCopyStores {
  db: Database;
  assets: Pick<AssetStore, 'saveAsset'>;
  templates: Pick<TemplateStore, 'createDraft'>;
}

interface Loaded {
  samples: readonly Sample[];
  images: ReadonlyMap<string, SourceImage>;
}

/** Samples change only with the service, so they are read once. */
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
 * Saves a sample as a new draft of the organization, with its images as assets, in one transaction. Throws the errors
 * of `createDraft` and `saveAsset`.
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
