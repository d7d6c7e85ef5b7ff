/** Templates: drafts that change, published versions that never do, and what the service says about them. */
import type { Template } from '#shared/template-schema.ts';
import { templateLimits } from '#shared/template-limits.ts';
import type { Database } from './database.ts';
import { writeTransaction } from './database.ts';
import type { PublishedTemplate } from './published-cache.ts';
import { createPublishedCache } from './published-cache.ts';
import { createRandomId } from './random-id.ts';
import { StoreError, storeErrors } from './store-error.ts';
import { toDetails } from './template-details.ts';
import type { DetailsRow, TemplateDetails, TemplateSummary } from './template-details.ts';
import { documentCid, parseStoredDocument } from './template-document.ts';

export interface TemplatePage {
  templates: TemplateSummary[];
  /** All of the organization's templates, not only this page's. */
  total: number;
}

/** A saved draft; `version` is the published one, or null. */
export interface SavedDraft {
  uid: string;
  cid: string;
  version: number | null;
  created: boolean;
}

export interface PublishedVersion {
  version: number;
  cid: string;
}

export interface TemplateStore {
  /**
   * The newest published version, or the given one; undefined when there is none or the template
   * is archived. From memory, without SQL, while nothing has changed; an unknown uid costs one
   * SELECT and is not remembered. Throws a `StoreError` for a damaged document or database.
   */
  findPublished(uid: string, version?: number): PublishedTemplate | undefined;
  /** Newest first; archived ones left out. `limit` over 100 counts as 100. */
  listTemplates(organizationUid: string, limit: number, offset: number): TemplatePage;
  findDetails(organizationUid: string, uid: string): TemplateDetails | undefined;
  /** True for every uid that cannot be given to a new template, whoever has it, archived or not. */
  isUidTaken(uid: string): boolean;
  /**
   * Stores a draft, new (with a random uid when none is given) or over the old one; the same text
   * again changes nothing. `document` is `documentJson` parsed and checked.
   *
   * Throws a `StoreError`: `INVALID` for a uid that is no `[A-Za-z0-9_-]{1,64}` or a text over
   * 256 KiB, `TAKEN` for a uid of another organization or of an archived template.
   */
  saveDraft(
    organizationUid: string,
    uid: string | undefined,
    document: Template,
    documentJson: string,
  ): SavedDraft;
  /** Makes the draft the next version, 1, 2, 3 …; undefined when the organization has no such template. */
  publish(organizationUid: string, uid: string): PublishedVersion | undefined;
  /** Forgets what is in memory. The database is its opener's to close. */
  close(): void;
}

/** The most templates that one page lists (contract section 2). */
export const pageTemplatesMax = 100;

const uidPattern = /^[A-Za-z0-9_-]{1,64}$/;

interface TemplateRow {
  id: number;
  organization_uid: string;
  archived_at: string | null;
  published_version: number | null;
  draft_cid: string;
}

function prepareStatements(db: Database) {
  return {
    list: db.prepare<[string, number, number], TemplateSummary>(
      `SELECT uid, name, type, created_at, updated_at FROM templates
       WHERE organization_uid = ? AND archived_at IS NULL
       ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
    ),
    count: db
      .prepare<[string], number>(
        'SELECT count(*) FROM templates WHERE organization_uid = ? AND archived_at IS NULL',
      )
      .pluck(),
    details: db.prepare<[string, string], DetailsRow>(
      `SELECT t.uid, t.name, t.type, t.created_at, t.updated_at, t.draft_cid, t.published_version,
              t.draft_json, v.document_json AS published_json
       FROM templates t
       LEFT JOIN template_versions v ON v.template_id = t.id AND v.version = t.published_version
       WHERE t.uid = ? AND t.organization_uid = ? AND t.archived_at IS NULL`,
    ),
    find: db.prepare<[string], TemplateRow>(
      `SELECT id, organization_uid, archived_at, published_version, draft_cid
       FROM templates WHERE uid = ?`,
    ),
    insert: db.prepare<[string, string, string, string, string, string, string]>(
      `INSERT INTO templates (uid, organization_uid, name, created_at, updated_at, draft_cid, draft_json)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    updateDraft: db.prepare<[string, string, string, string, number, string]>(
      `UPDATE templates SET draft_cid = ?, draft_json = ?, updated_at = ?,
              name = iif(published_version IS NULL, ?, name)
       WHERE id = ? AND draft_json <> ?`,
    ),
    draftJson: db
      .prepare<[number], string>('SELECT draft_json FROM templates WHERE id = ?')
      .pluck(),
    nextVersion: db
      .prepare<[number], number>(
        'SELECT coalesce(max(version), 0) + 1 FROM template_versions WHERE template_id = ?',
      )
      .pluck(),
    insertVersion: db.prepare<[number, number, string, string, string]>(
      `INSERT INTO template_versions (template_id, version, cid, published_at, document_json)
       VALUES (?, ?, ?, ?, ?)`,
    ),
    setPublished: db.prepare<[number, string, string, number]>(
      'UPDATE templates SET published_version = ?, name = ?, updated_at = ? WHERE id = ?',
    ),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/** One store a connection. `monotonicMs` is a clock that never goes back. */
export function createTemplateStore(
  db: Database,
  monotonicMs: () => number = () => performance.now(),
): TemplateStore {
  const statements = prepareStatements(db);
  const published = createPublishedCache(db, monotonicMs);
  return {
    findPublished: (uid, version) => published.find(uid, version),
    listTemplates: (organizationUid, limit, offset) =>
      storeErrors('Listing templates', () =>
        // One transaction, so that page and total fit each other.
        db.transaction(() => ({
          templates: statements.list.all(
            organizationUid,
            Math.max(0, Math.min(limit, pageTemplatesMax)),
            Math.min(offset, Number.MAX_SAFE_INTEGER),
          ),
          total: statements.count.get(organizationUid) ?? 0,
        }))(),
      ),
    findDetails(organizationUid, uid) {
      const row = storeErrors(`Reading template ${uid}`, () =>
        statements.details.get(uid, organizationUid),
      );
      return row === undefined ? undefined : toDetails(row);
    },
    isUidTaken: (uid) =>
      storeErrors('Looking up a template', () => statements.find.get(uid) !== undefined),
    saveDraft(organizationUid, uid = createRandomId('tpl_', 16), document, documentJson) {
      checkDraft(uid, documentJson);
      return writeTransaction(db, `Saving template ${uid}`, () =>
        saveDraft(statements, organizationUid, uid, document.name, documentJson),
      );
    },
    publish(organizationUid, uid) {
      try {
        return writeTransaction(db, `Publishing template ${uid}`, () =>
          publishDraft(statements, organizationUid, uid),
        );
      } finally {
        // Also after a failure: a commit that could not say so is then read from the database.
        published.noteChange();
      }
    },
    close: () => published.clear(),
  };
}

function checkDraft(uid: string, documentJson: string): void {
  if (!uidPattern.test(uid)) {
    throw new StoreError(
      'INVALID',
      'The uid of a template must be 1 to 64 of A-Z, a-z, 0-9, _ and -.',
    );
  }
  const documentBytes = Buffer.byteLength(documentJson);
  if (documentBytes > templateLimits.documentBytesMax) {
    throw new StoreError(
      'INVALID',
      `The template document has ${documentBytes} bytes, at most ${templateLimits.documentBytesMax} are allowed: upload images as assets instead of writing them into it.`,
    );
  }
}

function saveDraft(
  statements: Statements,
  organizationUid: string,
  uid: string,
  name: string,
  documentJson: string,
): SavedDraft {
  const cid = documentCid(documentJson);
  const now = new Date().toISOString();
  const row = statements.find.get(uid);
  if (row === undefined) {
    statements.insert.run(uid, organizationUid, name, now, now, cid, documentJson);
    return { uid, cid, version: null, created: true };
  }
  if (row.organization_uid !== organizationUid) {
    throw new StoreError('TAKEN', `The uid ${uid} is in use: choose another one.`);
  }
  if (row.archived_at !== null) {
    throw new StoreError(
      'TAKEN',
      `The uid ${uid} is that of an archived template: restore it or choose another one.`,
    );
  }
  statements.updateDraft.run(cid, documentJson, now, name, row.id, documentJson);
  return { uid, cid, version: row.published_version, created: false };
}

function publishDraft(
  statements: Statements,
  organizationUid: string,
  uid: string,
): PublishedVersion | undefined {
  const row = statements.find.get(uid);
  if (row?.organization_uid !== organizationUid || row.archived_at !== null) return undefined;
  const documentJson = statements.draftJson.get(row.id) ?? '';
  const document = parseStoredDocument(uid, 'draft', documentJson);
  const version = statements.nextVersion.get(row.id) ?? 1;
  const now = new Date().toISOString();
  statements.insertVersion.run(row.id, version, row.draft_cid, now, documentJson);
  statements.setPublished.run(version, document.name, now, row.id);
  return { version, cid: row.draft_cid };
}
