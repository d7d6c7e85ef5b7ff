/** Stores templates: drafts, published versions, lists and details. */
import type { OrganizationFontFamily } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import type { Database } from './database/database.ts';
import type { FontLookup } from './assets/font-store.ts';
import type { PublishedTemplate, UnreadDocument } from './published-cache.ts';
import { createPublishedCache } from './published-cache.ts';
import { createStorageQuota } from './database/storage-quota.ts';
import { storeErrors } from './database/store-error.ts';
import { stateColumn, toDetails, toSummary } from './template-details.ts';
import type {
  DetailsRow,
  SummaryRow,
  TemplateDetails,
  TemplateSummary,
} from './template-details.ts';
import type { TemplateDrafts } from './template-drafts.ts';
import { createTemplateDrafts } from './template-drafts.ts';
import type { TemplateVersions } from './template-versions.ts';
import { createTemplateVersions } from './template-versions.ts';
import type { FontDigests } from './assets/font-choice.ts';
import { createTemplateLabels, labelColumns, labelsJoin } from './template-labels.ts';
import type { TemplateLabelStore } from './template-labels.ts';
import { createAccessStore } from './organizations/access-store.ts';
import type { AccessStore } from './organizations/access-store.ts';
import { turnNowMs } from '../foundation/deadline.ts';

export interface TemplatePage {
  templates: TemplateSummary[];
  /** Number of all templates that match the filter, including those of other pages. */
  total: number;
}

export type { SavedDraft } from './template-drafts.ts';
export type { PublishedVersion } from './template-versions.ts';

export interface TemplateStore
  extends TemplateDrafts, TemplateVersions, TemplateLabelStore, AccessStore {
  /**
   * The newest published version, or the given one. Undefined if there is none, or if the template is archived. Comes
   * from memory without SQL while the database is unchanged. An unknown uid costs one SELECT and is not cached. Throws
   * a `StoreError` for a damaged document or database.
   */
  findPublished(uid: string, version?: number): PublishedTemplate | undefined;
  /** What `findPublished` would read from the database, without reading the document. */
  findUnread(uid: string, version?: number): UnreadDocument | undefined;
  /** The organization's font families that a document names. `digests` are the fonts stored with a version. */
  findFonts(
    organizationUid: string,
    document: Template,
    digests?: FontDigests,
  ): readonly OrganizationFontFamily[];
  /** Newest first. `limit` over 100 counts as 100. */
  listTemplates(
    organizationUid: string,
    limit: number,
    offset: number,
    filter?: TemplateFilter,
  ): TemplatePage;
  findDetails(organizationUid: string, uid: string): TemplateDetails | undefined;
  /** Whether the organization has a template with this uid in use; with `orArchived`, also an archived one. */
  hasTemplate(organizationUid: string, uid: string, options?: { orArchived: boolean }): boolean;
  /**
   * Whether any organization has a template with this uid, in use or archived, so that a new template cannot use it.
   */
  isUidTaken(uid: string): boolean;
  /** Clears the caches. The opener closes the database. */
  close(): void;
}

/** Filter of a list of templates. */
export interface TemplateFilter {
  /** Archived templates only, instead of those in use. */
  archived?: boolean | undefined;
  /** True: only templates with a published version. False: only templates without. Undefined: both. */
  published?: boolean | undefined;
  /** Only templates in this folder. Empty: only templates in no folder. */
  folder?: string | undefined;
  /** Only templates with this tag. */
  tag?: string | undefined;
}

/** Maximum number of templates of one page. */
export const pageTemplatesMax = 100;

interface ListParameters {
  organizationUid: string;
  published: 0 | 1 | null;
  folder: string | null;
  tag: string | null;
  limit: number;
  offset: number;
}

const publishedVersion =
  'LEFT JOIN template_versions v ON v.template_id = t.id AND v.version = t.published_version';

function prepareStatements(db: Database) {
  const prepareList = (archived: string) => {
    const where = `t.organization_uid = @organizationUid AND t.archived_at ${archived}
      AND (@published IS NULL OR (t.published_version IS NOT NULL) = @published)
      AND (@folder IS NULL OR coalesce(l.folder, '') = @folder)
      AND (@tag IS NULL OR EXISTS (SELECT 1 FROM json_each(l.tags_json) WHERE value = @tag))`;
    return {
      page: db.prepare<ListParameters, SummaryRow>(
        `SELECT t.uid, t.name, t.type, t.created_at, t.updated_at, t.published_version AS version,
                ${stateColumn}, ${labelColumns}
         FROM templates t ${publishedVersion} ${labelsJoin} WHERE ${where}
         ORDER BY t.created_at DESC, t.id DESC LIMIT @limit OFFSET @offset`,
      ),
      count: db
        .prepare<ListParameters, number>(
          `SELECT count(*) FROM templates t ${labelsJoin} WHERE ${where}`,
        )
        .pluck(),
    };
  };
  return {
    inUse: prepareList('IS NULL'),
    archived: prepareList('IS NOT NULL'),
    details: db.prepare<[string, string], DetailsRow>(
      `SELECT t.uid, t.name, t.type, t.created_at, t.updated_at, t.draft_cid, t.published_version AS version,
              ${stateColumn}, ${labelColumns}, t.draft_json,
              v.cid AS published_cid, v.document_json AS published_json
       FROM templates t ${publishedVersion} ${labelsJoin}
       WHERE t.uid = ? AND t.organization_uid = ? AND t.archived_at IS NULL`,
    ),
    find: db.prepare<[string], { organization_uid: string; archived_at: string | null }>(
      'SELECT organization_uid, archived_at FROM templates WHERE uid = ?',
    ),
  };
}

/** The fonts of callers that do not render. */
const noFonts: FontLookup = {
  findFamilies: () => [],
  restoreFiles: () => Promise.resolve('deleted'),
  revision: () => 0,
  onChange: () => undefined,
};

/**
 * Creates the store of a connection. `monotonicMs` is a monotonic clock. `fonts` are the fonts of organizations.
 * `storageBytesMax` limits the storage of each organization.
 */
export function createTemplateStore(
  db: Database,
  monotonicMs: () => number = turnNowMs,
  fonts: FontLookup = noFonts,
  storageBytesMax?: number,
): TemplateStore {
  const statements = prepareStatements(db);
  const published = createPublishedCache(db, monotonicMs, fonts);
  const quota = createStorageQuota(db, storageBytesMax);
  const noteChange = (): void => published.noteChange();
  fonts.onChange(noteChange);
  return {
    ...createTemplateDrafts(db, noteChange, quota),
    ...createTemplateVersions(db, noteChange, quota),
    ...createTemplateLabels(db),
    ...createAccessStore(db, noteChange),
    findPublished: (uid, version) => published.find(uid, version),
    findUnread: (uid, version) => published.findUnread(uid, version),
    findFonts: (organizationUid, document, digests) =>
      fonts.findFamilies(organizationUid, document, digests),
    listTemplates: (organizationUid, limit, offset, filter = {}) =>
      storeErrors('Listing templates', () =>
        // One transaction, so that page and total are consistent.
        db.transaction(() => {
          const { page, count } = filter.archived === true ? statements.archived : statements.inUse;
          const parameters: ListParameters = {
            organizationUid,
            published: filter.published === undefined ? null : filter.published ? 1 : 0,
            folder: filter.folder ?? null,
            tag: filter.tag ?? null,
            limit: Math.max(0, Math.min(limit, pageTemplatesMax)),
            offset: Math.min(offset, Number.MAX_SAFE_INTEGER),
          };
          const templates = page.all(parameters).map(toSummary);
          return { templates, total: count.get(parameters) ?? 0 };
        })(),
      ),
    findDetails(organizationUid, uid) {
      const row = storeErrors(`Reading template ${uid}`, () =>
        statements.details.get(uid, organizationUid),
      );
      return row === undefined ? undefined : toDetails(row);
    },
    hasTemplate(organizationUid, uid, { orArchived } = { orArchived: false }) {
      const row = storeErrors(`Looking up template ${uid}`, () => statements.find.get(uid));
      if (row?.organization_uid !== organizationUid) return false;
      return orArchived || row.archived_at === null;
    },
    isUidTaken: (uid) =>
      storeErrors('Looking up a template', () => statements.find.get(uid) !== undefined),
    close: () => published.clear(),
  };
}
