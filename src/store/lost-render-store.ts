/** Stores lost renders of published versions, so that a quarantine survives a restart and applies to every process. */
import type { Database } from './database/database.ts';
import { writeTransaction } from './database/database.ts';
import { storeErrors } from './database/store-error.ts';
import { cidOfTemplateKey } from './template-document.ts';

/** The losses of one version. */
export interface LostRenders {
  organizationUid: string;
  templateUid: string;
  version: number;
  templateKey: string;
  losses: number;
  /** Milliseconds since the epoch. */
  lostAtMs: number;
  cause: string;
  /** Milliseconds since the epoch; null while the version is not in quarantine. */
  quarantinedAtMs: number | null;
}

/** Every method throws a `StoreError`. */
export interface LostRenderStore {
  list(): LostRenders[];
  save(lost: LostRenders): void;
  /**
   * Deletes the losses of a template's versions, and losses of equal documents in other templates of the organization.
   * Returns the content ids of the template's draft and versions.
   */
  release(organizationUid: string, templateUid: string): ReadonlySet<string>;
}

/** Maximum number of rows that are read, newest first. A row takes two lost processes or an hour. */
const rowsMax = 10_000;

export function createLostRenderStore(db: Database): LostRenderStore {
  const select = db.prepare<[number], LostRenders>(
    `SELECT organization_uid AS organizationUid, template_uid AS templateUid, version,
            template_key AS templateKey, losses, lost_at AS lostAtMs, cause, quarantined_at AS quarantinedAtMs
     FROM lost_renders ORDER BY lost_at DESC LIMIT ?`,
  );
  const insert = db.prepare<LostRenders>(
    `INSERT INTO lost_renders
       (organization_uid, template_uid, version, template_key, losses, lost_at, cause, quarantined_at)
     VALUES (@organizationUid, @templateUid, @version, @templateKey, @losses, @lostAtMs, @cause, @quarantinedAtMs)
     ON CONFLICT (template_uid, version) DO UPDATE SET
       template_key = excluded.template_key, losses = excluded.losses, lost_at = excluded.lost_at,
       cause = excluded.cause, quarantined_at = excluded.quarantined_at`,
  );
  const selectCids = db
    .prepare<{ organizationUid: string; templateUid: string }, string>(
      `SELECT draft_cid FROM templates WHERE uid = @templateUid AND organization_uid = @organizationUid
       UNION SELECT cid FROM template_versions JOIN templates ON templates.id = template_id
       WHERE uid = @templateUid AND organization_uid = @organizationUid`,
    )
    .pluck();
  const remove = db.prepare<[string, number]>(
    'DELETE FROM lost_renders WHERE template_uid = ? AND version = ?',
  );
  return {
    list: () => storeErrors('Reading lost renders', () => select.all(rowsMax)),
    save: (lost) => {
      writeTransaction(db, 'Noting a lost render', () => insert.run(lost));
    },
    release: (organizationUid, templateUid) =>
      writeTransaction(db, 'Releasing a template', () => {
        const cids = new Set(selectCids.all({ organizationUid, templateUid }));
        for (const lost of select.all(rowsMax)) {
          if (isLossOf(lost, organizationUid, templateUid, cids)) {
            remove.run(lost.templateUid, lost.version);
          }
        }
        return cids;
      }),
  };
}

/** Whether a release of the template ends the quarantine: equal documents of one organization share their losses. */
export function isLossOf(
  lost: Pick<LostRenders, 'organizationUid' | 'templateUid' | 'templateKey'>,
  organizationUid: string,
  templateUid: string,
  cids: ReadonlySet<string>,
): boolean {
  if (lost.organizationUid !== organizationUid) return false;
  return lost.templateUid === templateUid || cids.has(cidOfTemplateKey(lost.templateKey) ?? '');
}
