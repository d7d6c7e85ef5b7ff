/** SQL statements of the campaign store. */
import type { Database } from '../../../store/database/database.ts';
import type { WarmUse } from '../../../render/warm-renders.ts';
import type { Campaign, CampaignRun, OpenRun } from './campaign-records.ts';

const campaignColumns = `id, organization_uid AS organizationUid, template_uid AS templateUid, name,
  list_json AS listJson, mapping_json AS mappingJson, row_count AS rowCount, bytes,
  file_bytes AS fileBytes, created_at AS createdAt, expires_at AS expiresAt`;
const runColumns = `campaign_id AS campaignId, mode, number, state, version, options_json AS optionsJson,
  base_url AS baseUrl, secret, done, counts_json AS countsJson, error, created_at AS createdAt, finished_at AS finishedAt,
  owner, files_json AS filesJson`;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- statements with their own types
export function prepareCampaigns(db: Database) {
  return {
    insert: db.prepare<[Campaign]>(
      `INSERT INTO campaigns (id, organization_uid, template_uid, name, list_json, mapping_json, row_count, bytes, file_bytes, created_at, expires_at)
       VALUES (@id, @organizationUid, @templateUid, @name, @listJson, @mappingJson, @rowCount, @bytes, @fileBytes, @createdAt, @expiresAt)`,
    ),
    find: db.prepare<[string], Campaign>(`SELECT ${campaignColumns} FROM campaigns WHERE id = ?`),
    list: db.prepare<[string, number, number], Campaign>(
      `SELECT ${campaignColumns} FROM campaigns WHERE organization_uid = ?
       ORDER BY created_at DESC, id LIMIT ? OFFSET ?`,
    ),
    count: db
      .prepare<[string], number>('SELECT count(*) FROM campaigns WHERE organization_uid = ?')
      .pluck(),
    remove: db.prepare<[string]>('DELETE FROM campaigns WHERE id = ?'),
    setMapping: db.prepare<[string, string]>('UPDATE campaigns SET mapping_json = ? WHERE id = ?'),
    expired: db
      .prepare<[number, number], string>(
        'SELECT id FROM campaigns WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
      )
      .pluck(),
    ids: db.prepare<[], string>('SELECT id FROM campaigns').pluck(),
  };
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- statements with their own types
export function prepareRuns(db: Database) {
  const columnsOfRun = runColumns.replaceAll(/(campaign_id|created_at)/g, 'r.$1');
  const isOpen = `state IN ('queued', 'running')`;
  return {
    replace: db.prepare<[CampaignRun]>(
      `INSERT OR REPLACE INTO campaign_runs (campaign_id, mode, number, state, version, options_json, base_url, secret, done, counts_json, error, created_at, finished_at, owner, files_json)
       VALUES (@campaignId, @mode, @number, @state, @version, @optionsJson, @baseUrl, @secret, @done, @countsJson, @error, @createdAt, @finishedAt, @owner, @filesJson)`,
    ),
    find: db.prepare<[string, string], CampaignRun>(
      `SELECT ${runColumns} FROM campaign_runs WHERE campaign_id = ? AND mode = ?`,
    ),
    all: db.prepare<[string], CampaignRun>(
      `SELECT ${runColumns} FROM campaign_runs WHERE campaign_id = ? ORDER BY created_at DESC, mode`,
    ),
    open: db.prepare<[], OpenRun>(
      `SELECT ${columnsOfRun}, c.organization_uid AS organizationUid
       FROM campaign_runs r JOIN campaigns c ON c.id = r.campaign_id
       WHERE ${isOpen} ORDER BY r.created_at`,
    ),
    ofMode: db.prepare<[string], CampaignRun & Pick<Campaign, 'templateUid' | 'organizationUid'>>(
      `SELECT ${columnsOfRun},
         c.template_uid AS templateUid, c.organization_uid AS organizationUid
       FROM campaign_runs r JOIN campaigns c ON c.id = r.campaign_id
       WHERE r.mode = ? ORDER BY r.created_at DESC`,
    ),
    setFiles: db.prepare<[string, string, string]>(
      'UPDATE campaign_runs SET files_json = ? WHERE campaign_id = ? AND mode = ?',
    ),
    addUse: db.prepare<[number, number, string]>(
      `INSERT INTO campaign_warm_use (campaign_id, hits, misses)
       SELECT id, ?, ? FROM campaigns WHERE id = ?
       ON CONFLICT (campaign_id) DO UPDATE SET hits = hits + excluded.hits, misses = misses + excluded.misses`,
    ),
    use: db.prepare<[string], WarmUse>(
      'SELECT hits, misses FROM campaign_warm_use WHERE campaign_id = ?',
    ),
    openOf: db.prepare<[string], CampaignRun>(
      `SELECT ${runColumns} FROM campaign_runs WHERE campaign_id = ? AND ${isOpen}`,
    ),
  };
}
