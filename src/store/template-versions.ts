/**
 * Publishes and reads versions of templates. A version comes from the draft or from an older version, and never
 * changes.
 */
import type { Template } from '#language/schema/template.ts';
import { notingChange } from './database/change-watch.ts';
import type { Database } from './database/database.ts';
import { writeTransaction } from './database/database.ts';
import type { StorageQuota } from './database/storage-quota.ts';
import { StoreError, storeErrors } from './database/store-error.ts';
import { checkAgain, documentCid, parseStoredDocument, requireMatch } from './template-document.ts';
import type { Precondition } from './template-document.ts';
import { createAccessRows } from './organizations/access-store.ts';
import { createFontChoice, parseFontDigests } from './assets/font-choice.ts';
import type { FontDigests } from './assets/font-choice.ts';

export interface PublishedVersion {
  version: number;
  cid: string;
}

/** Options of a publication. */
export interface PublishOptions extends Precondition {
  /** An older version to publish again; absent: the draft. */
  version?: number | undefined;
  /** A document that replaces that of `version`, which must be the newest version. The draft does not change. */
  replacement?: { version: number; documentJson: string } | undefined;
  /** At most 1,000 UTF-16 units. */
  note?: string | undefined;
  /** Whether the document comes with the release, whose tests check it. Publishing does not check it again. */
  isTrusted?: boolean;
}

/** The row of a list; `published_at` is ISO 8601 UTC with milliseconds. */
export interface VersionSummary extends PublishedVersion {
  published_at: string;
  note: string;
}

/** The stored text of a document; `version` is null for the draft. */
export interface StoredDocument {
  cid: string;
  version: number | null;
  documentJson: string;
  /** Digests of the organization's fonts that a version stores; null for the draft. */
  fontDigests: FontDigests;
}

export interface TemplateVersions {
  /**
   * Publishes the draft, or the document of an older version, as the next version (1, 2, 3 …). Undefined if the
   * organization has no such template or version. A version stores the present digests of the organization's fonts that
   * it names. An older version keeps its digests, so that no later upload changes it.
   *
   * Throws a `StoreError` and changes nothing. `INVALID`: the note is too long, or the draft breaks a newer rule; an
   * older version is never refused. `CHANGED`: `ifMatch` lacks the draft, or another version is the newest. `CONFLICT`:
   * it would be the 10,001st version. `QuotaError`: the organization stores too much.
   */
  publish(
    organizationUid: string,
    uid: string,
    options?: PublishOptions,
  ): PublishedVersion | undefined;
  /** Newest first; undefined if the organization has no such template. `limit` over 100 counts as 100. */
  listVersions(
    organizationUid: string,
    uid: string,
    limit?: number,
    offset?: number,
  ): { versions: VersionSummary[]; total: number } | undefined;
  /** The text of the draft or of one version; undefined if it does not exist. `CORRUPT` if it is damaged. */
  findDocument(organizationUid: string, uid: string, version?: number): StoredDocument | undefined;
}

/** Maximum number of versions of one page. */
export const pageVersionsMax = 100;
/** Maximum length of a note in UTF-16 units: one row of the table. */
const noteCharactersMax = 1000;
/** Maximum number of versions of one template: one an hour for a year. */
const versionsMax = 10_000;

interface DraftRow {
  id: number;
  draft_cid: string;
  draft_json: string;
}

interface VersionRow {
  cid: string;
  document_json: string;
  font_digests: string | null;
}

function prepareStatements(db: Database) {
  return {
    access: createAccessRows(db),
    findId: db
      .prepare<[string, string], number>(
        `SELECT id FROM templates
         WHERE uid = ? AND organization_uid = ? AND archived_at IS NULL`,
      )
      .pluck(),
    findDraft: db.prepare<[string, string], DraftRow>(
      `SELECT id, draft_cid, draft_json FROM templates
       WHERE uid = ? AND organization_uid = ? AND archived_at IS NULL`,
    ),
    findVersion: db.prepare<[number, number], VersionRow>(
      'SELECT cid, document_json, font_digests FROM template_versions WHERE template_id = ? AND version = ?',
    ),
    list: db.prepare<[number, number, number], VersionSummary>(
      `SELECT version, cid, published_at, note FROM template_versions
       WHERE template_id = ? ORDER BY version DESC LIMIT ? OFFSET ?`,
    ),
    newestVersion: db
      .prepare<[number], number>(
        'SELECT coalesce(max(version), 0) FROM template_versions WHERE template_id = ?',
      )
      .pluck(),
    insert: db.prepare<[number, number, string, string, string, string, string]>(
      `INSERT INTO template_versions (template_id, version, cid, note, published_at, document_json, font_digests)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    setPublished: db.prepare<[number, string, string, number]>(
      'UPDATE templates SET published_version = ?, name = ?, updated_at = ? WHERE id = ?',
    ),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/** Creates the versions of a connection. Calls `noteChange` after each publication, also after a failed one. */
export function createTemplateVersions(
  db: Database,
  noteChange: () => void,
  quota: StorageQuota,
): TemplateVersions {
  const statements = prepareStatements(db);
  const findFonts = createFontChoice(db);
  return {
    publish: (organizationUid, uid, options = {}) =>
      notingChange(noteChange, () =>
        writeTransaction(db, `Publishing template ${uid}`, () => {
          const draft = statements.findDraft.get(uid, organizationUid);
          if (draft === undefined) return undefined;
          requireMatch(draft.draft_cid, options);
          const checkQuota = (bytes: number): void => quota.check(organizationUid, bytes);
          const chooseFonts = (document: Template): string[] =>
            findFonts(organizationUid, document);
          return publish(statements, uid, draft, options, { checkQuota, chooseFonts });
        }),
      ),
    listVersions: (organizationUid, uid, limit = pageVersionsMax, offset = 0) =>
      storeErrors(`Listing the versions of template ${uid}`, () =>
        // One transaction, so that page and total are consistent.
        db.transaction(() => {
          const id = statements.findId.get(uid, organizationUid);
          if (id === undefined) return undefined;
          const count = Math.max(0, Math.min(limit, pageVersionsMax));
          const versions = statements.list.all(
            id,
            count,
            Math.min(offset, Number.MAX_SAFE_INTEGER),
          );
          // The newest number is the total, because versions count from 1 without gaps.
          return { versions, total: statements.newestVersion.get(id) ?? 0 };
        })(),
      ),
    findDocument: (organizationUid, uid, version) =>
      storeErrors(`Reading template ${uid}`, () => {
        const draft = statements.findDraft.get(uid, organizationUid);
        if (draft === undefined) return undefined;
        const stored = findStored(statements, draft, version);
        if (stored === undefined) return undefined;
        const { cid, documentJson } = stored;
        parseStoredDocument(uid, partOf(version), cid, documentJson);
        return { ...stored, version: version ?? null };
      }),
  };
}

/** Functions of the template's organization that publishing needs. */
interface Organization {
  /** Throws a `QuotaError` if the organization may not store this many more bytes. */
  checkQuota: (bytes: number) => void;
  /** The present digests of the organization's fonts that a document names. */
  chooseFonts: (document: Template) => string[];
}

function publish(
  statements: Statements,
  uid: string,
  draft: DraftRow,
  options: PublishOptions,
  { checkQuota, chooseFonts }: Organization,
): PublishedVersion | undefined {
  const { version: olderVersion, replacement, note = '', isTrusted = false } = options;
  if (note.length > noteCharactersMax) {
    throw new StoreError('INVALID', `A note has at most ${noteCharactersMax} characters.`);
  }
  const newest = statements.newestVersion.get(draft.id) ?? 0;
  if (replacement !== undefined && replacement.version !== newest) {
    throw new StoreError('CHANGED', `The template ${uid} was published meanwhile: try again.`);
  }
  const stored =
    replacement === undefined
      ? findStored(statements, draft, olderVersion)
      : storedDocument(replacement.documentJson);
  if (stored === undefined) return undefined;
  const { cid, documentJson } = stored;
  const document = parseStoredDocument(uid, partOf(olderVersion), cid, documentJson);
  if (olderVersion === undefined && !isTrusted) checkAgain(cid, document);
  const version = newest + 1;
  if (version > versionsMax) {
    throw new StoreError(
      'CONFLICT',
      `The template ${uid} has ${versionsMax} versions, the most there can be: go on with a copy of it.`,
    );
  }
  checkQuota(Buffer.byteLength(documentJson));
  const now = new Date().toISOString();
  // An older version keeps its fonts, so that its image does not change.
  const digests = JSON.stringify(stored.fontDigests ?? chooseFonts(document));
  statements.access.keep(draft.id);
  statements.insert.run(draft.id, version, cid, note, now, documentJson, digests);
  statements.setPublished.run(version, document.name, now, draft.id);
  return { version, cid };
}

function findStored(
  { findVersion }: Statements,
  draft: DraftRow,
  version: number | undefined,
): Omit<StoredDocument, 'version'> | undefined {
  if (version === undefined) {
    return { cid: draft.draft_cid, documentJson: draft.draft_json, fontDigests: null };
  }
  const row = findVersion.get(draft.id, version);
  if (row === undefined) return undefined;
  const { cid, document_json: documentJson, font_digests: fontDigests } = row;
  return { cid, documentJson, fontDigests: parseFontDigests(fontDigests) };
}

/** Converts a document that is not stored yet to the form of a stored draft. */
export function storedDocument(documentJson: string): StoredDocument {
  return { cid: documentCid(documentJson), version: null, documentJson, fontDigests: null };
}

function partOf(version: number | undefined): string {
  return version === undefined ? 'draft' : `version ${version}`;
}
