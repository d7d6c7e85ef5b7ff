/** Provides the sample templates, the starts of new templates, and the demo organization of a new installation. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SourceImage } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import { digestOf } from './assets/asset-row.ts';
import type { AssetStore } from './assets/asset-store.ts';
import type { Database } from './database/database.ts';
import { writeTransaction, isReadOnlyDatabase } from './database/database.ts';
import { listDirectory, prepareTemplate, publishDirectory } from './publish.ts';
import type { ImageFile, ImageFolder } from './template-images.ts';
import { mapImages } from './template-images.ts';
import type { SavedDraft, TemplateStore } from './template-store.ts';
import type { OrganizationStore } from './organizations/organization-store.ts';
import type { PublishDirectoryOptions } from './publish.ts';
import { StoreError, whenFree } from './database/store-error.ts';

/** One sample or start. Its document names images by the ids that the assets of a copy will have. */
export interface Sample {
  uid: string;
  /** `samples`, or the folder of the start: `email`, `shop` … */
  category: string;
  document: Template;
  /** Images by asset id. */
  images: ReadonlyMap<string, ImageFile>;
}

/** Samples and starts of a folder, which is read at the first use. Throws `INVALID` for a wrong file name or image. */
export interface SampleLibrary {
  /** The samples, then the starts by category; sorted by uid. */
  list(): readonly Sample[];
  find(uid: string): Sample | undefined;
  /** An image of any sample by its id, in read-only shared memory, so that a preview of a sample needs no copy. */
  findImage(id: string): SourceImage | undefined;
}

/** The stores that receive a copy. */
export interface SampleCopyStores {
  db: Database;
  assets: Pick<AssetStore, 'saveAsset'>;
  templates: Pick<TemplateStore, 'createDraft'>;
}

interface Loaded {
  samples: readonly Sample[];
  sources: ReadonlyMap<string, SourceImage>;
}

/** Reads samples once, because they change only with a new release. */
export function createSampleLibrary(folder: ImageFolder): SampleLibrary {
  let loaded: Loaded | undefined;
  const load = (): Loaded => (loaded ??= loadSamples(folder));
  return {
    list: () => load().samples,
    find: (uid) => load().samples.find((sample) => sample.uid === uid),
    findImage: (id) => load().sources.get(id),
  };
}

/** Folder of the starts, with one folder for each category. Their images are beside the samples. */
const startsFolder = 'starts';

function loadSamples(folder: ImageFolder): Loaded {
  const sources = new Map<string, SourceImage>();
  // Many starts share an image.
  const files = new Map<string, ImageFile>();
  const ids = new Map<ImageFile, string>();
  const identify = (file: ImageFile): string => {
    const known = ids.get(file);
    if (known !== undefined) return known;
    const digest = digestOf(file.bytes);
    const id = `asset:${digest}`;
    ids.set(file, id);
    sources.set(id, toSource(digest, file));
    return id;
  };
  const load = (category: string, path: string): Sample => {
    const prepared = prepareTemplate(folder, path, files);
    const images = new Map<string, ImageFile>();
    const document = mapImages(prepared.document, (reference) => {
      const file = prepared.images.get(reference);
      if (file === undefined) return reference;
      const id = identify(file);
      images.set(id, file);
      return id;
    });
    return { uid: basename(path), category, document, images };
  };
  const samples = listDirectory(folder.directory).map((uid) => load('samples', uid));
  for (const category of listFolders(join(folder.directory, startsFolder))) {
    const path = join(startsFolder, category);
    const uids = listDirectory(join(folder.directory, path));
    samples.push(...uids.map((uid) => load(category, join(path, uid))));
  }
  return { samples, sources };
}

/** Sorted names of the folders in a folder; empty if the folder is missing. */
function listFolders(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const entries = readdirSync(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

function toSource(digest: string, { bytes, header }: ImageFile): SourceImage {
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
  { uid: sampleUid, document, images }: Sample,
  copy: { uid?: string | undefined; name?: string | undefined },
): SavedDraft {
  const named = copy.name === undefined ? document : { ...document, name: copy.name };
  return writeTransaction(db, `Copying the sample ${sampleUid}`, () => {
    for (const { bytes, header } of images.values()) {
      assets.saveAsset(organizationUid, bytes, header);
    }
    return templates.createDraft(organizationUid, copy.uid, named, JSON.stringify(named));
  });
}

// The demo organization of a new installation, with its key and the samples.

interface SeedDemoOptions extends Omit<PublishDirectoryOptions, 'organizationUid'> {
  organizations: OrganizationStore;
  /** The demo key; without it the first start creates one. */
  demoApiKey?: string | undefined;
}

const demoOrganizationUid = 'org_demo';

/**
 * Seeds an empty database in one transaction, and returns the key if this call created it, to show it once. A
 * configured key is never returned, so that no journal contains it. Later calls add only what is missing: a
 * configured key that is not valid, and samples with a new uid (after an upgrade). Nothing is overwritten.
 *
 * A database with other organizations and no demo stays unchanged, unless a key is configured.
 */
export function seedDemo(options: SeedDemoOptions): { createdKey?: string } {
  const { db, organizations, templates, demoApiKey } = options;
  const isWanted = (): boolean =>
    demoApiKey !== undefined ||
    !organizations.hasOrganizations() ||
    organizations.findOrganization(demoOrganizationUid) !== undefined;
  if (isReadOnlyDatabase(db) || !isWanted()) return {};
  return writeTransaction(db, 'Seeding the demo organization', () => {
    // Checked again under the write lock: another process may have seeded the database.
    if (!isWanted()) return {};
    const createdKey = ensureOrganization(organizations, demoApiKey);
    const missing = listDirectory(options.directory).filter((uid) => !templates.isUidTaken(uid));
    publishDirectory({ ...options, organizationUid: demoOrganizationUid }, missing);
    return createdKey === undefined ? {} : { createdKey };
  });
}

/**
 * Calls `seedDemo`. If another process locks the database for 2 s, or the shared database is away, calls `onSkip`
 * instead; a later start then seeds.
 */
export async function seedWhenFree(
  options: SeedDemoOptions,
  onSkip: (error: StoreError) => void,
): Promise<{ createdKey?: string }> {
  try {
    return await whenFree(() => seedDemo(options));
  } catch (error) {
    const isPassing = error instanceof StoreError && ['BUSY', 'AWAY'].includes(error.code);
    if (!isPassing) throw error;
    onSkip(error);
    return {};
  }
}

/** Returns the created key; undefined for an existing or a configured one. */
function ensureOrganization(
  organizations: OrganizationStore,
  demoApiKey: string | undefined,
): string | undefined {
  const isNew = organizations.findOrganization(demoOrganizationUid) === undefined;
  if (isNew) organizations.createOrganization('demo', demoOrganizationUid);
  if (demoApiKey !== undefined) {
    organizations.ensureKey(demoOrganizationUid, { name: 'demo', key: demoApiKey });
    return undefined;
  }
  return isNew ? organizations.createKey(demoOrganizationUid, { name: 'demo' }) : undefined;
}
