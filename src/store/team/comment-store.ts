/** Stores comments on the layers of a template. */
import type { Database } from '../database/database.ts';
import { createRandomId, writeTransaction } from '../database/database.ts';
import { createStorageQuota } from '../database/storage-quota.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';

/** A comment in the form of the API. Times are ISO 8601 UTC with milliseconds. */
export interface Comment {
  id: string;
  /** Id of the layer, which the draft may no longer contain. */
  layer: string;
  text: string;
  /** Name of the API key that wrote the comment, at that time. */
  author: string;
  created_at: string;
  resolved_at: string | null;
}

/** Maximum number of comments of one template. */
export const commentsMax = 500;

/** Methods apply to templates in use of one organization. They return undefined for an unknown template or comment. */
export interface CommentStore {
  /** Oldest first. */
  listComments(organizationUid: string, uid: string): Comment[] | undefined;
  /**
   * Stores a comment, whose lengths the caller checks. Throws a `StoreError` `CONFLICT` for the 501st comment of a
   * template, and a `QuotaError` if the organization stores too much.
   */
  addComment(
    organizationUid: string,
    uid: string,
    comment: { layer: string; text: string; keyId: number },
  ): Comment | undefined;
  /** Resolves a comment, or reopens it. */
  resolveComment(
    organizationUid: string,
    uid: string,
    id: string,
    isResolved: boolean,
  ): Comment | undefined;
  /** Deletes a comment; false if it does not exist. */
  deleteComment(organizationUid: string, uid: string, id: string): boolean;
}

const idCharacters = 20;

/** Size of a row beside its text in bytes, equal to that in the triggers. */
const rowBytes = 200;

const columns = 'id, layer_id AS layer, text, author, created_at, resolved_at';

/** Creates the store of a connection. */
export function createCommentStore(db: Database, storageBytesMax?: number): CommentStore {
  const quota = createStorageQuota(db, storageBytesMax);
  const findTemplate = db
    .prepare<[string, string], number>(
      'SELECT id FROM templates WHERE uid = ? AND organization_uid = ? AND archived_at IS NULL',
    )
    .pluck();
  const list = db.prepare<[number], Comment>(
    `SELECT ${columns} FROM template_comments WHERE template_id = ? ORDER BY created_at, id`,
  );
  const count = db
    .prepare<[number], number>('SELECT count(*) FROM template_comments WHERE template_id = ?')
    .pluck();
  const insert = db.prepare<[string, number, string, string, string, number], Comment>(
    `INSERT INTO template_comments (id, template_id, layer_id, text, created_at, author)
     VALUES (?, ?, ?, ?, ?, (SELECT name FROM api_keys WHERE id = ?)) RETURNING ${columns}`,
  );
  const resolve = db.prepare<[string | null, string, number], Comment>(
    `UPDATE template_comments SET resolved_at = ? WHERE id = ? AND template_id = ? RETURNING ${columns}`,
  );
  const remove = db.prepare<[string, number]>(
    'DELETE FROM template_comments WHERE id = ? AND template_id = ?',
  );
  return {
    listComments: (organizationUid, uid) =>
      storeErrors(`Listing the comments on template ${uid}`, () => {
        const template = findTemplate.get(uid, organizationUid);
        return template === undefined ? undefined : list.all(template);
      }),
    addComment: (organizationUid, uid, { layer, text, keyId }) =>
      writeTransaction(db, `Commenting on template ${uid}`, () => {
        const template = findTemplate.get(uid, organizationUid);
        if (template === undefined) return undefined;
        if ((count.get(template) ?? 0) >= commentsMax) {
          const message = `The template has ${commentsMax} comments, the most there can be: delete some.`;
          throw new StoreError('CONFLICT', message);
        }
        quota.check(organizationUid, Buffer.byteLength(text) + Buffer.byteLength(layer) + rowBytes);
        const now = new Date().toISOString();
        const id = createRandomId('cm_', idCharacters);
        return insert.get(id, template, layer, text, now, keyId);
      }),
    resolveComment: (organizationUid, uid, id, isResolved) =>
      writeTransaction(db, `Resolving a comment on template ${uid}`, () => {
        const template = findTemplate.get(uid, organizationUid);
        if (template === undefined) return undefined;
        return resolve.get(isResolved ? new Date().toISOString() : null, id, template);
      }),
    deleteComment: (organizationUid, uid, id) =>
      writeTransaction(db, `Deleting a comment on template ${uid}`, () => {
        const template = findTemplate.get(uid, organizationUid);
        return template !== undefined && remove.run(id, template).changes > 0;
      }),
  };
}
