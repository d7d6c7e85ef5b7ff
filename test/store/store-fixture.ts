/** Real stores on a real file, and small documents to put into them. */
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import type { FontFacts } from '#wire/font-facts.ts';
import type { Access } from '#language/schema/access.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { createAssetStore } from '../../src/store/assets/asset-store.ts';
import type { AssetHeader, AssetStore } from '../../src/store/assets/asset-store.ts';
import type { FontStore } from '../../src/store/assets/font-store.ts';
import { createFontStore } from '../../src/store/assets/font-store.ts';
import type { Database } from '../../src/store/database/database.ts';
import { createOrganizationStore } from '../../src/store/organizations/organization-store.ts';
import type { OrganizationStore } from '../../src/store/organizations/organization-store.ts';
import { createTemplateStore } from '../../src/store/template-store.ts';
import { createIdempotencyStore } from '../../src/store/idempotency-store.ts';
import type { IdempotencyStore } from '../../src/store/idempotency-store.ts';
import { createCampaignStore } from '../../src/mailings/store/campaigns/campaign-store.ts';
import type { CampaignStore } from '../../src/mailings/store/campaigns/campaign-store.ts';
import { createFirstOpenStore } from '../../src/store/first-open-store.ts';
import type { FirstOpenStore } from '../../src/store/first-open-store.ts';
import { createShortLinkStore } from '../../src/store/short-link-store.ts';
import type { ShortLinkStore } from '../../src/store/short-link-store.ts';
import type { BrandStore } from '../../src/store/team/brand-store.ts';
import { createBrandStore } from '../../src/store/team/brand-store.ts';
import type { CommentStore } from '../../src/store/team/comment-store.ts';
import { createCommentStore } from '../../src/store/team/comment-store.ts';
import { createStatisticsStore } from '../../src/store/statistics-store.ts';
import type { StatisticsStore } from '../../src/store/statistics-store.ts';
import type { TableStore } from '../../src/mailings/store/tables/table-store.ts';
import { createTableStore } from '../../src/mailings/store/tables/table-store.ts';
import type { TemplateUse } from '../../src/store/template-use.ts';
import { createTemplateUse } from '../../src/store/template-use.ts';
import { openStoreDatabase } from '../helpers/store-databases.ts';
import type {
  PublishedVersion,
  SavedDraft,
  TemplateStore,
} from '../../src/store/template-store.ts';

/** A clock that stands still until a test moves it. */
export interface TestClock {
  nowMs: number;
}

export interface Stores {
  db: Database;
  path: string;
  clock: TestClock;
  organizations: OrganizationStore;
  templates: TemplateStore;
  assets: AssetStore;
  fonts: FontStore;
  use: TemplateUse;
  shortLinks: ShortLinkStore;
  firstOpens: FirstOpenStore;
  campaignStore: CampaignStore;
  brands: BrandStore;
  comments: CommentStore;
  statistics: StatisticsStore;
  idempotency: IdempotencyStore;
  tables: TableStore;
}

/** Opens one connection with its stores, as one process does; a second call is another process's view. */
export function openStores(t: Test, path: string, clock: TestClock = { nowMs: 0 }): Stores {
  return storesOn(t, openStoreDatabase(t, path), path, clock);
}

/** The stores of a connection, all of which end with the test. */
export function storesOn(
  t: Test,
  db: Database,
  path: string,
  clock: TestClock = { nowMs: 0 },
): Stores {
  const now = (): number => Date.UTC(2030, 0, 1) + clock.nowMs;
  const tables = createTableStore(db, join(dirname(path), 'tables'), undefined, now);
  const firstOpens = createFirstOpenStore(db, now);
  t.teardown(() => {
    tables.close();
    firstOpens.close();
    db.close();
  });
  const fonts = createFontStore(db, join(dirname(path), 'own-fonts'));
  return {
    db,
    path,
    clock,
    organizations: createOrganizationStore(db, now),
    templates: createTemplateStore(db, () => clock.nowMs, fonts),
    assets: createAssetStore(db),
    fonts,
    use: createTemplateUse(db, now),
    idempotency: createIdempotencyStore(db, now),
    campaignStore: createCampaignStore(db),
    brands: createBrandStore(db),
    comments: createCommentStore(db),
    statistics: createStatisticsStore(db, now),
    firstOpens,
    shortLinks: createShortLinkStore(db, now),
    tables,
  };
}

/** Stores in a folder of this test alone, with the organization `org_a`. */
export function createStores(t: Test): Stores {
  const stores = openStores(t, join(t.testdir(), 'platen.sqlite'));
  stores.organizations.createOrganization('A', 'org_a');
  return stores;
}

/** The same with `org_b` beside it. */
export function createTwoOrganizations(t: Test): Stores {
  const stores = createStores(t);
  stores.organizations.createOrganization('B', 'org_b');
  return stores;
}

/** The one value that a query gives. */
export function readOne({ db }: Pick<Stores, 'db'>, sql: string): unknown {
  return db.prepare(sql).pluck().get();
}

/** Holds the lock that writes need, as another process would; the result ends it. */
export function holdLock(t: Test, stores: Stores): () => void {
  stores.db.pragma('busy_timeout = 0');
  const { db } = openStores(t, stores.path);
  db.exec('BEGIN IMMEDIATE');
  return () => void db.exec('ROLLBACK');
}

/** The header of an image whose pixels it does not read. */
export const pngHeader: AssetHeader = { format: 'png', widthPx: 3, heightPx: 2, orientation: 1 };

/** Stores assets of one byte that were saved long ago; returns their ids. */
export function insertAssets({ db }: Pick<Stores, 'db'>, count: number): string[] {
  db.prepare(
    `WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers LIMIT ?)
     INSERT INTO assets (organization_uid, digest, format, width_px, height_px, orientation, pixel_ratio,
                         size_bytes, created_at, saved_at, bytes)
     SELECT 'org_a', printf('%064d', number), 'png', 1, 1, 1, 1, 1, '2020-01-01T00:00:00.000Z',
            '2020-01-01T00:00:00.000Z', x'01' FROM numbers`,
  ).run(count);
  return db.prepare<[], string>("SELECT 'asset:' || digest FROM assets").pluck().all();
}

/** A layer of this image. */
export function imageLayer(src: string, id = 'i'): Layer {
  return { id, type: 'image', x: 0, y: 0, width: 9, height: 9, src };
}

/** A valid document; equal arguments give equal text. */
export function sampleDocument(changes: Partial<Template> = {}): Template {
  return {
    format: 1,
    name: 'Hello',
    width: 400,
    height: 200,
    variables: [{ name: 'name', type: 'text', value: 'World' }],
    layers: [],
    ...changes,
  };
}

export function saveSample(
  { templates }: Pick<Stores, 'templates'>,
  uid: string | undefined,
  changes: Partial<Template> = {},
  organizationUid = 'org_a',
): SavedDraft {
  const document = sampleDocument(changes);
  return templates.saveDraft(organizationUid, uid, document, JSON.stringify(document));
}

/** Saves and publishes. */
export function publishSample(
  stores: Pick<Stores, 'templates'>,
  uid: string,
  changes: Partial<Template> = {},
  organizationUid = 'org_a',
): PublishedVersion | undefined {
  saveSample(stores, uid, changes, organizationUid);
  return stores.templates.publish(organizationUid, uid);
}

/** Changes the access of a template of `org_a`. */
export function changeAccess(
  { templates }: Pick<Stores, 'templates'>,
  uid: string,
  changes: Partial<Access>,
): void {
  const access = templates.findAccess('org_a', uid);
  if (access === undefined) throw new Error(`There is no template ${uid}.`);
  templates.setAccess('org_a', uid, { ...access, ...changes });
}

/** Stands for the header reader of the images folder: everything that starts with `PNG` is 3×2. */
export function readTestHeader(bytes: Uint8Array): AssetHeader | undefined {
  if (!Buffer.from(bytes).toString('latin1').startsWith('PNG')) return undefined;
  return pngHeader;
}

/** What inspection would tell of a font of one face. */
export const sampleFontFacts: FontFacts = {
  family: 'Brand',
  fullName: 'Brand Regular',
  weight: 400,
  italic: false,
  axes: {},
  scripts: [],
  glyphs: 1,
  embedding: 'restricted',
  license: '',
  licenseUrl: '',
};
