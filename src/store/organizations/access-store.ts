/** Stores the access to the links of templates beside their versions, so that publishing changes no access. */
import { documentAccess } from '#language/access.ts';
import type { Access } from '#language/schema/access.ts';
import type { Template } from '#language/schema/template.ts';
import { notingChange } from '../database/change-watch.ts';
import type { Database } from '../database/database.ts';
import { writeTransaction } from '../database/database.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';
import { documentCid } from '../template-document.ts';
import type { Precondition } from '../template-document.ts';

export interface AccessStore {
  /** Undefined if the organization has no such template in use. */
  findAccess(organizationUid: string, uid: string): Access | undefined;
  /**
   * Replaces the access, for all links at once. Undefined if the organization has no such template in use. Throws a
   * `StoreError` `CHANGED` if the access has none of the tags of the precondition.
   */
  setAccess(
    organizationUid: string,
    uid: string,
    access: Access,
    precondition?: Precondition,
  ): Access | undefined;
}

/** Identifies an access, for preconditions. */
export function accessTag(access: Access): string {
  return documentCid(JSON.stringify(access));
}

/** Joins `templates AS t` with the rows of this store as `a`. */
export const accessJoin = 'LEFT JOIN template_access a ON a.template_id = t.id';
const publishedJoin =
  'LEFT JOIN template_versions v ON v.template_id = t.id AND v.version = t.published_version';
const accessColumns =
  'a.access, iif(a.access IS NULL, coalesce(v.document_json, t.draft_json), NULL) AS document_json';

export interface AccessRow {
  /** Null for a template of a node of an older version. */
  access: string | null;
  /** The published document, or else the draft; read for such a template alone. */
  document_json: string | null;
}

export function toAccess({ access, document_json: documentJson }: AccessRow): Access {
  if (access !== null) return JSON.parse(access) as Access;
  return documentAccess(JSON.parse(documentJson ?? '{}') as Template);
}

/** Writes of drafts and versions, within their transactions. */
export interface AccessRows {
  insert(templateId: number, access: Access): void;
  /** Stores the access of a template without a row. Called before its draft or its published version changes. */
  keep(templateId: number): void;
  find(templateId: number): Access | undefined;
}

export function createAccessRows(db: Database): AccessRows {
  const insert = db.prepare<[number, string]>('INSERT INTO template_access VALUES (?, ?)');
  const findRow = db.prepare<[number], AccessRow>(
    `SELECT ${accessColumns} FROM templates t ${accessJoin} ${publishedJoin} WHERE t.id = ?`,
  );
  return {
    insert: (id, access) => void insert.run(id, JSON.stringify(access)),
    keep(id) {
      const row = findRow.get(id);
      if (row?.access === null) insert.run(id, JSON.stringify(toAccess(row)));
    },
    find(id) {
      const row = findRow.get(id);
      return row && toAccess(row);
    },
  };
}

/** Creates the store of a connection. Calls `noteChange` after each change, also after a failed one. */
export function createAccessStore(db: Database, noteChange: () => void): AccessStore {
  const find = db.prepare<[string, string], AccessRow & { id: number }>(
    `SELECT t.id, ${accessColumns} FROM templates t ${accessJoin} ${publishedJoin}
     WHERE t.uid = ? AND t.organization_uid = ? AND t.archived_at IS NULL`,
  );
  const save = db.prepare<[number, string]>(
    `INSERT INTO template_access VALUES (?, ?)
     ON CONFLICT (template_id) DO UPDATE SET access = excluded.access`,
  );
  return {
    findAccess: (organizationUid, uid) =>
      storeErrors(`Reading the access of template ${uid}`, () => {
        const row = find.get(uid, organizationUid);
        return row && toAccess(row);
      }),
    setAccess: (organizationUid, uid, access, { ifMatch } = {}) =>
      notingChange(noteChange, () =>
        writeTransaction(db, `Changing the access of template ${uid}`, () => {
          const row = find.get(uid, organizationUid);
          if (row === undefined) return undefined;
          if (ifMatch?.includes(accessTag(toAccess(row))) === false) throw changed(uid);
          save.run(row.id, JSON.stringify(access));
          return access;
        }),
      ),
  };
}

function changed(uid: string): StoreError {
  return new StoreError(
    'CHANGED',
    `The access of the template ${uid} was changed meanwhile: read it again, and repeat the change on it.`,
  );
}
