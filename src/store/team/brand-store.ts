/** Stores brand kits of organizations, and lists templates that differ from the kit. */
import { followBrand } from '#language/brand.ts';
import type { Brand } from '#language/brand.ts';
import type { Template } from '#language/schema/template.ts';
import type { Database } from '../database/database.ts';
import { writeTransaction } from '../database/database.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';
import { createDocumentReferences } from '../document-references.ts';

/** Maximum size of a kit as JSON text, bytes. */
const brandBytesMax = 64 * 1024;

/** Maximum number of templates that one page reads, each with a draft and a version of at most 256 KiB. */
const pageTemplatesMax = 20;
/**
 * Limit of the documents that one page reads, characters. The last template may exceed it. Comparing 1 MB takes 20 ms.
 */
const pageCharactersMax = 1024 * 1024;

export interface StoredBrand {
  brand: Brand;
  /** ISO 8601 UTC with milliseconds; null before the first change. */
  updated_at: string | null;
}

/** A template that follows the kit and whose draft or published version has other values. */
export interface BehindTemplate {
  uid: string;
  name: string;
  /** Whether the published version differs from the kit too. */
  published: boolean;
}

export interface BrandStore {
  /** The kit of an organization; undefined if it has none. */
  findBrand(organizationUid: string): StoredBrand | undefined;
  /**
   * Replaces the kit and changes no template. The caller checks its shape and its assets. Throws a `StoreError`
   * `INVALID` for a kit over 64 KiB.
   */
  saveBrand(organizationUid: string, brand: Brand): StoredBrand;
  /**
   * Templates in use that differ from the kit that they follow, sorted by uid, after the uid `after`. `next` is the
   * `after` of the next page; null at the end. A page reads up to 20 templates and may return none. Throws a
   * `StoreError` `BUSY` while documents are indexed after an upgrade.
   */
  listBehind(organizationUid: string, after: string): BehindPage;
}

interface BehindPage {
  templates: BehindTemplate[];
  next: string | null;
}

interface FollowerRow {
  uid: string;
  name: string;
  draft_json: string;
  published_json: string | null;
}

/** Creates the store of a connection. */
export function createBrandStore(db: Database): BrandStore {
  const find = db.prepare<[string], { brand_json: string; updated_at: string }>(
    'SELECT brand_json, updated_at FROM brand_kits WHERE organization_uid = ?',
  );
  const save = db.prepare<[string, string, string]>(
    `INSERT INTO brand_kits (organization_uid, brand_json, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (organization_uid) DO UPDATE SET brand_json = excluded.brand_json, updated_at = excluded.updated_at`,
  );
  const references = createDocumentReferences(db);
  const findFollower = db.prepare<[string], FollowerRow>(
    `SELECT t.uid, t.name, t.draft_json, v.document_json AS published_json
     FROM templates t
     LEFT JOIN template_versions v ON v.template_id = t.id AND v.version = t.published_version
     WHERE t.uid = ? AND t.archived_at IS NULL`,
  );
  const findBrand: BrandStore['findBrand'] = (organizationUid) => {
    const row = storeErrors('Reading the brand kit', () => find.get(organizationUid));
    if (row === undefined) return undefined;
    return { brand: JSON.parse(row.brand_json) as Brand, updated_at: row.updated_at };
  };
  const listBehind = (organizationUid: string, brand: Brand, after: string): BehindPage => {
    const templates: BehindTemplate[] = [];
    let charactersLeft = pageCharactersMax;
    const uids = references.listFollowers(organizationUid, after, pageTemplatesMax);
    for (const uid of uids) {
      const row = findFollower.get(uid);
      if (row === undefined) continue;
      templates.push(...behind(row, brand));
      charactersLeft -= row.draft_json.length + (row.published_json?.length ?? 0);
      if (charactersLeft <= 0 && uid !== uids.at(-1)) return { templates, next: uid };
    }
    return { templates, next: uids.length < pageTemplatesMax ? null : (uids.at(-1) ?? null) };
  };
  return {
    findBrand,
    saveBrand(organizationUid, brand) {
      const json = JSON.stringify(brand);
      if (Buffer.byteLength(json) > brandBytesMax) {
        throw new StoreError('INVALID', `A brand kit has at most ${brandBytesMax} bytes of JSON.`);
      }
      return writeTransaction(db, 'Saving the brand kit', () => {
        const now = new Date().toISOString();
        save.run(organizationUid, json, now);
        return { brand, updated_at: now };
      });
    },
    listBehind(organizationUid, after) {
      const stored = findBrand(organizationUid);
      if (stored === undefined) return { templates: [], next: null };
      return storeErrors('Looking for templates that differ from the brand kit', () =>
        listBehind(organizationUid, stored.brand, after),
      );
    },
  };
}

function behind(row: FollowerRow, brand: Brand): BehindTemplate[] {
  const isBehind = (json: string): boolean => {
    const document = JSON.parse(json) as Template;
    return followBrand(document, brand) !== document;
  };
  const published = row.published_json !== null && isBehind(row.published_json);
  const isDraftOther = row.draft_json !== row.published_json;
  if (!published && !(isDraftOther && isBehind(row.draft_json))) return [];
  return [{ uid: row.uid, name: row.name, published }];
}
