/** Saves, replaces, copies, archives and restores drafts of templates. */
import { documentAccess } from '#language/access.ts';
import type { Access } from '#language/schema/access.ts';
import { isUid } from '#language/uid.ts';
import type { Template } from '#language/schema/template.ts';
import { createAssetCheck } from './template-images.ts';
import { notingChange } from './database/change-watch.ts';
import type { Database } from './database/database.ts';
import { writeTransaction, createRandomId } from './database/database.ts';
import type { StorageQuota } from './database/storage-quota.ts';
import { StoreError } from './database/store-error.ts';
import {
  checkAgain,
  checkDocumentBytes,
  invalidDocument,
  parseStoredDocument,
  requireMatch,
  validCid,
} from './template-document.ts';
import type { Precondition } from './template-document.ts';
import { createAccessRows } from './organizations/access-store.ts';

/** A saved draft. `version` is the published one, or null. */
export interface SavedDraft {
  uid: string;
  cid: string;
  version: number | null;
  created: boolean;
}

/**
 * Changes drafts, each in one transaction. Methods with a uid return undefined if the organization has no such
 * template. Each throws a `StoreError` and then changes nothing. `INVALID`: a uid does not match `[A-Za-z0-9_-]{1,64}`,
 * or a text is over 256 KiB. `TAKEN`: the uid belongs to another organization or an archived template. `CHANGED`: the
 * precondition failed. `CONFLICT`: it would be the 10,001st template. `QuotaError`: the organization stores too much.
 */
export interface TemplateDrafts {
  /**
   * Creates a draft, by default with a random uid, or replaces an existing one. An equal text changes nothing. A new
   * template takes its access from `document`: `documentJson`, parsed and checked. The caller checks its assets.
   */
  saveDraft(
    organizationUid: string,
    uid: string | undefined,
    document: Template,
    documentJson: string,
  ): SavedDraft;
  /** Creates a draft. Throws `TAKEN` for an existing uid, `INVALID` with the path of each missing asset. */
  createDraft(
    organizationUid: string,
    uid: string | undefined,
    document: Template,
    documentJson: string,
  ): SavedDraft;
  /** Replaces a draft. Throws `INVALID` with the path of each missing asset. */
  updateDraft(
    organizationUid: string,
    uid: string,
    document: Template,
    documentJson: string,
    precondition?: Precondition,
  ): SavedDraft | undefined;
  /** Copies a draft and the access, optionally under another name. Throws `INVALID` if it breaks a newer rule. */
  duplicate(
    organizationUid: string,
    uid: string,
    copy: { uid?: string | undefined; name?: string | undefined },
  ): SavedDraft | undefined;
  /** Archives a template and its links; false if there is no such template in use. */
  archive(organizationUid: string, uid: string, precondition?: Precondition): boolean;
  /** Restores an archived template; a template in use stays unchanged. */
  restore(
    organizationUid: string,
    uid: string,
    precondition?: Precondition,
  ): SavedDraft | undefined;
}

/** Maximum number of templates of one organization, including archived ones: up to 2.5 GiB of drafts. */
const templatesMax = 10_000;

interface TemplateRow {
  id: number;
  organization_uid: string;
  archived_at: string | null;
  published_version: number | null;
  draft_cid: string;
  draft_bytes: number;
}

function prepareStatements(db: Database) {
  return {
    access: createAccessRows(db),
    find: db.prepare<[string], TemplateRow>(
      `SELECT id, organization_uid, archived_at, published_version, draft_cid,
              octet_length(draft_json) AS draft_bytes
       FROM templates WHERE uid = ?`,
    ),
    insert: db
      .prepare<[string, string, string, string, string, string, string], number>(
        `INSERT INTO templates (uid, organization_uid, name, created_at, updated_at, draft_cid, draft_json)
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      )
      .pluck(),
    update: db.prepare<[string, string, string, string, number, string, string]>(
      `UPDATE templates SET draft_cid = ?, draft_json = ?, updated_at = ?,
              name = iif(published_version IS NULL, ?, name)
       WHERE id = ? AND (draft_cid <> ? OR draft_json <> ?)`,
    ),
    // Each count uses a separate index.
    count: db
      .prepare<[string, string], number>(
        `SELECT (SELECT count(*) FROM templates WHERE organization_uid = ? AND archived_at IS NULL) +
                (SELECT count(*) FROM templates WHERE organization_uid = ? AND archived_at IS NOT NULL)`,
      )
      .pluck(),
    draftJson: db
      .prepare<[number], string>('SELECT draft_json FROM templates WHERE id = ?')
      .pluck(),
    setArchived: db.prepare<[string | null, string, number]>(
      'UPDATE templates SET archived_at = ?, updated_at = ? WHERE id = ?',
    ),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/**
 * Creates the drafts of a connection. Calls `noteChange` after each archiving or restoring, also after a failed one.
 */
export function createTemplateDrafts(
  db: Database,
  noteChange: () => void,
  quota: StorageQuota,
): TemplateDrafts {
  const statements = prepareStatements(db);
  const checkQuota = (organizationUid: string, documentJson: string, replacedBytes = 0): void =>
    quota.check(organizationUid, Buffer.byteLength(documentJson) - replacedBytes);
  const findMissingAssets = createAssetCheck(db);
  const checkAssets = (organizationUid: string, document: Template): void => {
    const problems = findMissingAssets(organizationUid, document);
    if (problems.length > 0) throw invalidDocument(problems);
  };
  const create = (
    organizationUid: string,
    uid: string = createRandomId('tpl_', 16),
    document: Template,
    documentJson: string,
    access = documentAccess(document),
  ): SavedDraft => {
    checkUid(uid);
    checkDocumentBytes(documentJson);
    return writeTransaction(db, `Saving template ${uid}`, () => {
      checkAssets(organizationUid, document);
      refuseTaken(statements.find.get(uid), organizationUid, uid);
      checkQuota(organizationUid, documentJson);
      return insertDraft(statements, [organizationUid, uid], document.name, documentJson, access);
    });
  };
  return {
    createDraft: (...draft) => create(...draft),
    saveDraft(organizationUid, uid = createRandomId('tpl_', 16), document, documentJson) {
      checkUid(uid);
      checkDocumentBytes(documentJson);
      return writeTransaction(db, `Saving template ${uid}`, () => {
        const row = findRow(statements, organizationUid, uid);
        checkQuota(organizationUid, documentJson, row?.draft_bytes);
        if (row !== undefined) return replaceDraft(statements, row, uid, document, documentJson);
        refuseTaken(statements.find.get(uid), organizationUid, uid);
        const owned = [organizationUid, uid] as const;
        const access = documentAccess(document);
        return insertDraft(statements, owned, document.name, documentJson, access);
      });
    },
    updateDraft(organizationUid, uid, document, documentJson, precondition) {
      checkDocumentBytes(documentJson);
      return writeTransaction(db, `Saving template ${uid}`, () => {
        const row = findRow(statements, organizationUid, uid);
        if (row === undefined) return undefined;
        requireMatch(row.draft_cid, precondition);
        checkAssets(organizationUid, document);
        checkQuota(organizationUid, documentJson, row.draft_bytes);
        return replaceDraft(statements, row, uid, document, documentJson);
      });
    },
    duplicate: (organizationUid, uid, copy) =>
      writeTransaction(db, `Copying template ${uid}`, () => {
        const row = findRow(statements, organizationUid, uid);
        if (row === undefined) return undefined;
        const json = statements.draftJson.get(row.id) ?? '';
        const draft = parseStoredDocument(uid, 'draft', row.draft_cid, json);
        const document = copy.name === undefined ? draft : { ...draft, name: copy.name };
        checkAgain(row.draft_cid, draft);
        const access = statements.access.find(row.id);
        return create(organizationUid, copy.uid, document, JSON.stringify(document), access);
      }),
    ...createArchive(db, statements, noteChange),
  };
}

/** Archives and restores templates. */
function createArchive(
  db: Database,
  statements: Statements,
  noteChange: () => void,
): Pick<TemplateDrafts, 'archive' | 'restore'> {
  const setArchived = (row: TemplateRow, isArchived: boolean): void => {
    const now = new Date().toISOString();
    statements.setArchived.run(isArchived ? now : null, now, row.id);
  };
  return {
    archive: (organizationUid, uid, precondition) =>
      notingChange(noteChange, () =>
        writeTransaction(db, `Archiving template ${uid}`, () => {
          const row = findRow(statements, organizationUid, uid);
          if (row === undefined) return false;
          requireMatch(row.draft_cid, precondition);
          setArchived(row, true);
          return true;
        }),
      ),
    restore: (organizationUid, uid, precondition) =>
      notingChange(noteChange, () =>
        writeTransaction(db, `Restoring template ${uid}`, () => {
          const row = statements.find.get(uid);
          if (row?.organization_uid !== organizationUid) return undefined;
          requireMatch(row.draft_cid, precondition);
          if (row.archived_at !== null) setArchived(row, false);
          return { uid, cid: row.draft_cid, version: row.published_version, created: false };
        }),
      ),
  };
}

/** A template in use of this organization. */
function findRow(
  { find }: Statements,
  organizationUid: string,
  uid: string,
): TemplateRow | undefined {
  const row = find.get(uid);
  const isSaved = row?.organization_uid === organizationUid && row.archived_at === null;
  return isSaved ? row : undefined;
}

/** Throws `TAKEN` for an existing uid. The message describes an archived template only to its organization. */
function refuseTaken(row: TemplateRow | undefined, organizationUid: string, uid: string): void {
  if (row === undefined) return;
  const isArchived = row.organization_uid === organizationUid && row.archived_at !== null;
  throw new StoreError(
    'TAKEN',
    isArchived
      ? `The uid ${uid} is that of an archived template: restore it or choose another one.`
      : `The uid ${uid} is in use: choose another one.`,
  );
}

function insertDraft(
  statements: Statements,
  [organizationUid, uid]: readonly [string, string],
  name: string,
  documentJson: string,
  access: Access,
): SavedDraft {
  if ((statements.count.get(organizationUid, organizationUid) ?? 0) >= templatesMax) {
    throw new StoreError(
      'CONFLICT',
      `The organization has ${templatesMax} templates, the most there can be: save this one over another.`,
    );
  }
  const cid = validCid(documentJson);
  const now = new Date().toISOString();
  const id = statements.insert.get(uid, organizationUid, name, now, now, cid, documentJson);
  if (id === undefined) throw new Error('A stored template has no row.');
  statements.access.insert(id, access);
  return { uid, cid, version: null, created: true };
}

function replaceDraft(
  statements: Statements,
  row: TemplateRow,
  uid: string,
  document: Template,
  documentJson: string,
): SavedDraft {
  statements.access.keep(row.id);
  const cid = validCid(documentJson);
  const now = new Date().toISOString();
  statements.update.run(cid, documentJson, now, document.name, row.id, cid, documentJson);
  return { uid, cid, version: row.published_version, created: false };
}

function checkUid(uid: string): void {
  if (isUid(uid)) return;
  throw new StoreError(
    'INVALID',
    'The uid of a template must be 1 to 64 of A-Z, a-z, 0-9, _ and -.',
  );
}
