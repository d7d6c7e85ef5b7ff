/** All stores of the service, opened and closed together. */
import { join } from 'node:path';
import { packagePath } from '#paths.ts';
import type { DataDirectory } from './data-directory.ts';
import { readImageHeader } from '../images/sniff/sniff-image.ts';
import { errorText } from '#wire/error-text.ts';
import type { Log } from '../foundation/log.ts';
import type { FontInspector } from '../scheduling/font-inspector.ts';
import { createFontInspector } from '../scheduling/font-inspector.ts';
import { type AssetStore, createAssetStore } from '../store/assets/asset-store.ts';
import { startNearFiles } from '../store/assets/near-files.ts';
import type { NearFiles } from '../store/assets/near-files.ts';
import { openNodeFiles } from '../store/assets/node-files.ts';
import type { Database } from '../store/database/database.ts';
import { openDatabase } from '../store/database/database.ts';
import { createDatabaseHealth, type DatabaseHealth } from '../store/database/health.ts';
import { type FontStore, createFontStore } from '../store/assets/font-store.ts';
import { type IdempotencyStore, createIdempotencyStore } from '../store/idempotency-store.ts';
import { DocumentIndexer } from '../store/document-references.ts';
import { type LostRenderStore, createLostRenderStore } from '../store/lost-render-store.ts';
import {
  type OrganizationStore,
  createOrganizationStore,
} from '../store/organizations/organization-store.ts';
import { listDirectory } from '../store/publish.ts';
import { createSampleLibrary, type SampleLibrary } from '../store/samples.ts';
import { type ShortLinkStore, createShortLinkStore } from '../store/short-link-store.ts';
import { type FirstOpenStore, createFirstOpenStore } from '../store/first-open-store.ts';
import { type StatisticsStore, createStatisticsStore } from '../store/statistics-store.ts';
import { type BrandStore, createBrandStore } from '../store/team/brand-store.ts';
import { type CommentStore, createCommentStore } from '../store/team/comment-store.ts';
import { type TemplateStore, createTemplateStore } from '../store/template-store.ts';
import { type TemplateUse, createTemplateUse } from '../store/template-use.ts';
import { openShared } from '../store/database/shared-port.ts';
import type { SharedDatabase } from '../store/database/shared-port.ts';

/** The sample templates of a new installation. */
export const sampleFolder = {
  directory: packagePath('data/templates/'),
  readHeader: readImageHeader,
};

/** The sample that is listed first, because it shows most at first sight. */
const firstSample = 'welcome-banner';

/** The uids of the samples, `firstSample` first. */
export function listSamples(): string[] {
  return listDirectory(sampleFolder.directory).toSorted(
    (a, b) => Number(b === firstSample) - Number(a === firstSample),
  );
}

/** The stores of a data folder. */
export interface Stores {
  data: DataDirectory;
  db: Database;
  /** Undefined without PLATEN_DATABASE_URL. */
  shared: SharedDatabase | undefined;
  health: DatabaseHealth;
  organizations: OrganizationStore;
  templates: TemplateStore;
  assets: AssetStore;
  /** Undefined without PLATEN_DATABASE_URL. */
  nearFiles: NearFiles | undefined;
  fonts: FontStore;
  inspector: FontInspector;
  use: TemplateUse;
  lostRenders: LostRenderStore;
  shortLinks: ShortLinkStore;
  firstOpens: FirstOpenStore;
  idempotency: IdempotencyStore;
  statistics: StatisticsStore;
  samples: SampleLibrary;
  brands: BrandStore;
  comments: CommentStore;
  indexer: DocumentIndexer;
}

/** The sections of the configuration on storage. */
interface StoresConfig {
  templates: {
    dataDirectory: string;
    storageBytesMax: number;
    nodeAssetsBytesMax: number;
    databaseUrl?: string;
  };
  cache: { assetsBytesMax: number };
}

/**
 * Opens the database of a data folder; the caller closes it. Rejects with a `StoreError`, or with a
 * `SharedDatabaseError`.
 */
export async function openStores(
  config: StoresConfig,
  data: DataDirectory,
  log: Log,
): Promise<Stores> {
  const { dataDirectory, storageBytesMax, databaseUrl } = config.templates;
  const options = { lockWaitMs: 0, mayReplaceLost: data.mayReplaceLost };
  const db = openDatabase(join(dataDirectory, 'platen.db'), options);
  const shared = await openShared(db, databaseUrl, (problem) => {
    if (problem === undefined) log.info('shared database connected');
    else log.warn('shared database away', { detail: problem });
  });
  const fontsDirectory = join(dataDirectory, 'fonts', 'own');
  const fonts = createFontStore(db, fontsDirectory, storageBytesMax, shared?.files);
  const nodeFiles = shared && openNodeFiles(config.templates, shared.files);
  const { assetsBytesMax } = config.cache;
  fonts.sweepFiles();
  const health = createDatabaseHealth(db, ({ message }) =>
    log.error('database damaged', { detail: message }),
  );
  return {
    data,
    db,
    shared,
    health,
    organizations: createOrganizationStore(db),
    templates: createTemplateStore(db, undefined, fonts, storageBytesMax),
    assets: createAssetStore(db, assetsBytesMax, storageBytesMax, nodeFiles),
    nearFiles: nodeFiles && startNearFiles({ db, shared, files: nodeFiles, fonts }),
    fonts,
    inspector: createFontInspector(),
    use: createTemplateUse(db),
    lostRenders: createLostRenderStore(db),
    shortLinks: createShortLinkStore(db, undefined, storageBytesMax),
    firstOpens: createFirstOpenStore(db),
    idempotency: createIdempotencyStore(db),
    statistics: createStatisticsStore(db),
    samples: createSampleLibrary(sampleFolder),
    brands: createBrandStore(db),
    comments: createCommentStore(db, storageBytesMax),
    indexer: new DocumentIndexer(db, (error) => {
      health.note(error);
      log.warn('documents not indexed', { detail: errorText(error) });
    }),
  };
}

/** Closes the stores of `openStores`, and then the database. */
export async function closeStores({
  templates,
  inspector,
  assets,
  nearFiles,
  firstOpens,
  health,
  shared,
  indexer,
  db,
}: Stores): Promise<void> {
  await indexer.close();
  firstOpens.close();
  await nearFiles?.close();
  await shared?.close();
  templates.close();
  await inspector.close();
  assets.close();
  health.close();
  db.close();
}
