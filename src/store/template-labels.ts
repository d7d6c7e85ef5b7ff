/** Folders and tags of templates, which arrange lists and change no image. */
import type { Database } from './database/database.ts';
import { writeTransaction } from './database/database.ts';

/** Where a template stands in lists. */
export interface TemplateLabels {
  /** Empty: in no folder. */
  folder: string;
  /** Each once, in the order in which they were given. */
  tags: string[];
}

export interface TemplateLabelStore {
  /**
   * Sets the folder or the tags of a template in use, or both; undefined if the organization has no such template. The
   * caller has checked lengths and counts.
   */
  setLabels(
    organizationUid: string,
    uid: string,
    changes: Partial<TemplateLabels>,
  ): TemplateLabels | undefined;
}

/** The columns of `templates AS t` joined with `labelsJoin`. */
export const labelColumns =
  "coalesce(l.folder, '') AS folder, coalesce(l.tags_json, '[]') AS tags_json";
export const labelsJoin = 'LEFT JOIN template_labels l ON l.template_id = t.id';

/** The labels of a row with `labelColumns`. */
export function readLabels(row: { folder: string; tags_json: string }): TemplateLabels {
  return { folder: row.folder, tags: JSON.parse(row.tags_json) as string[] };
}

/** One for each connection. */
export function createTemplateLabels(db: Database): TemplateLabelStore {
  const find = db.prepare<[string, string], { id: number; folder: string; tags_json: string }>(
    `SELECT t.id, ${labelColumns} FROM templates t ${labelsJoin}
     WHERE t.uid = ? AND t.organization_uid = ? AND t.archived_at IS NULL`,
  );
  const save = db.prepare<[number, string, string]>(
    `INSERT INTO template_labels (template_id, folder, tags_json) VALUES (?, ?, ?)
     ON CONFLICT (template_id) DO UPDATE SET folder = excluded.folder, tags_json = excluded.tags_json`,
  );
  return {
    setLabels: (organizationUid, uid, changes) =>
      writeTransaction(db, `Arranging template ${uid}`, () => {
        const row = find.get(uid, organizationUid);
        if (row === undefined) return undefined;
        const { folder, tags } = { ...readLabels(row), ...changes };
        const labels = { folder, tags: [...new Set(tags)] };
        save.run(row.id, labels.folder, JSON.stringify(labels.tags));
        return labels;
      }),
  };
}
