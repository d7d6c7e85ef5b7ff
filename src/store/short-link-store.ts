/**
 * Stores short links, which have a token instead of values: for values that must not be in a link, and for short
 * messages.
 */
import type { Database } from './database/database.ts';
import { createRandomId, writeTransaction } from './database/database.ts';
import { createStorageQuota } from './database/storage-quota.ts';
import { StoreError, storeErrors } from './database/store-error.ts';

/** The link that a short link leads to. */
export interface StoredLink {
  /** Uid of the template. */
  uid: string;
  /** JSON of the link, unchanged. */
  linkJson: string;
  /** Unix time in seconds. */
  expires: number;
}

/** Links of one template that a campaign has made. */
export interface CampaignLinks {
  organizationUid: string;
  /** Uid of the template. */
  uid: string;
  campaignId: string;
  /** Unix time in seconds. */
  expires: number;
  links: readonly { token: string; linkJson: string }[];
}

/** Every method throws a `StoreError`. */
export interface ShortLinkStore {
  /**
   * Creates a link of a template in use and returns its token; undefined if the organization has no such template. The
   * link counts as storage of the organization; throws a `QuotaError` above the limit.
   */
  createLink(organizationUid: string, link: StoredLink): string | undefined;
  /**
   * Stores links under given tokens and counts them as `createLink` does. Keeps an existing link of a token. Throws
   * `CONFLICT` if the organization has no such template in use.
   */
  createLinks(links: CampaignLinks): void;
  /** The link of a token; undefined for an unknown or expired one. One SELECT. */
  findLink(token: string): StoredLink | undefined;
  /** Deletes a link; false if the organization has no link of this token. */
  deleteLink(organizationUid: string, token: string): boolean;
  /** Deletes up to `deletionsMax` links of a campaign, which may be deleted already; returns their number. */
  deleteLinksOf(organizationUid: string, campaignId: string, deletionsMax: number): number;
  /** Deletes up to `deletionsMax` expired links; returns how many. */
  deleteExpired(deletionsMax: number): number;
}

/** 119 random bits, so that trying tokens finds no link. */
const tokenCharacters = 20;

/** Size of a row beside its text in bytes, equal to that in the triggers. */
const rowBytes = 200;

function prepareLinks(db: Database) {
  return {
    findTemplate: db
      .prepare<[string, string], number>(
        'SELECT id FROM templates WHERE uid = ? AND organization_uid = ? AND archived_at IS NULL',
      )
      .pluck(),
    insert: db.prepare<[string, number, string, number]>(
      'INSERT INTO short_links (token, template_id, link_json, expires_at) VALUES (?, ?, ?, ?)',
    ),
    insertNew: db.prepare<[string, number, string, number, string]>(
      `INSERT OR IGNORE INTO short_links (token, template_id, link_json, expires_at, campaign_id)
       VALUES (?, ?, ?, ?, ?)`,
    ),
    find: db.prepare<[string, number], StoredLink>(
      `SELECT t.uid, l.link_json AS linkJson, l.expires_at AS expires
       FROM short_links l JOIN templates t ON t.id = l.template_id
       WHERE l.token = ? AND l.expires_at > ?`,
    ),
    remove: db.prepare<[string, string]>(
      `DELETE FROM short_links WHERE token = ?
         AND template_id IN (SELECT id FROM templates WHERE organization_uid = ?)`,
    ),
    removeOfCampaign: db.prepare<[string, string, number]>(
      `DELETE FROM short_links WHERE token IN
         (SELECT l.token FROM short_links l JOIN templates t ON t.id = l.template_id
          WHERE l.campaign_id = ? AND t.organization_uid = ? LIMIT ?)`,
    ),
    removeExpired: db.prepare<[number, number]>(
      `DELETE FROM short_links WHERE token IN
         (SELECT token FROM short_links WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    ),
  };
}

/** Creates the store of a connection. `nowMs` is the wall clock, ms since the epoch. */
export function createShortLinkStore(
  db: Database,
  nowMs: () => number = Date.now,
  storageBytesMax?: number,
): ShortLinkStore {
  const quota = createStorageQuota(db, storageBytesMax);
  const { findTemplate, insert, insertNew, find, remove, removeOfCampaign, removeExpired } =
    prepareLinks(db);
  const nowSeconds = (): number => Math.floor(nowMs() / 1000);
  return {
    createLink: (organizationUid, { uid, linkJson, expires }) =>
      writeTransaction(db, `Storing a short link of template ${uid}`, () => {
        const templateId = findTemplate.get(uid, organizationUid);
        if (templateId === undefined) return undefined;
        quota.check(organizationUid, Buffer.byteLength(linkJson) + rowBytes);
        const token = createRandomId('', tokenCharacters);
        insert.run(token, templateId, linkJson, expires);
        return token;
      }),
    createLinks: ({ organizationUid, uid, campaignId, expires, links }) =>
      writeTransaction(db, `Storing short links of template ${uid}`, () => {
        const templateId = findTemplate.get(uid, organizationUid);
        if (templateId === undefined) {
          throw new StoreError('CONFLICT', `The template "${uid}" is not in use any more.`);
        }
        const bytes = links.reduce((sum, { linkJson }) => sum + Buffer.byteLength(linkJson), 0);
        quota.check(organizationUid, bytes + links.length * rowBytes);
        for (const { token, linkJson } of links)
          insertNew.run(token, templateId, linkJson, expires, campaignId);
      }),
    findLink: (token) => storeErrors('Reading a short link', () => find.get(token, nowSeconds())),
    deleteLink: (organizationUid, token) =>
      writeTransaction(
        db,
        'Deleting a short link',
        () => remove.run(token, organizationUid).changes === 1,
      ),
    deleteLinksOf: (organizationUid, campaignId, deletionsMax) =>
      writeTransaction(
        db,
        'Deleting short links of a campaign',
        () => removeOfCampaign.run(campaignId, organizationUid, deletionsMax).changes,
      ),
    deleteExpired: (deletionsMax) =>
      writeTransaction(
        db,
        'Deleting expired short links',
        () => removeExpired.run(nowSeconds(), deletionsMax).changes,
      ),
  };
}
