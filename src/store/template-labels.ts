/** Stores folders and tags of templates, which structure lists and change no image. */
import type { Database } from './database/database.ts';
import { writeTransaction } from './database/database.ts';

/** Folder and tags of a template. */
export interface TemplateLabels {
  /** Empty for a template in no folder. */
  folder: string;
  /** Without duplicates, in the order in which they were given. */
  tags: string[];
}

export interface TemplateLabelStore {
  /**
   * Sets the folder or the tags of a template in use, or both. Undefined if the organization has no such template. The
   * caller checks lengths and counts.
   */
  setLabels(
    organizationUid: string,
    uid: string,
    changes: Partial<TemplateLabels>,
  ): TemplateLabels | undefined;
}

/** Columns with the labels of `templates AS t`, for a query that contains `labelsJoin`. */
export const labelColumns =
  "coalesce(l.folder, '') AS folder, coalesce(l.tags_json, '[]') AS tags_json";
export const labelsJoin = 'LEFT JOIN template_labels l ON l.template_id = t.id';

/** Reads the labels of a row that has `labelColumns`. */
export function readLabels(row: { folder: string; tags_json: string }): TemplateLabels {
  return { folder: row.folder, tags: JSON.parse(row.tags_json) as string[] };
}

/** Creates the store of a connection. */
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
