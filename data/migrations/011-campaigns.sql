-- Campaigns: a list of recipients for a template, and what was made of it. The rows are personal data and are in a file of
-- their own, `campaigns/<id>/list.db` beside this database, so that deleting a campaign deletes them at once.

-- `list_json` says how the list was read, `mapping_json` names the variable of each column. `bytes` are those of the
-- uploaded list. Times are ms since the epoch.
CREATE TABLE campaigns (
  id TEXT PRIMARY KEY CHECK (length(id) = 24),
  organization_uid TEXT NOT NULL REFERENCES organizations (uid),
  template_uid TEXT NOT NULL,
  name TEXT NOT NULL,
  list_json TEXT NOT NULL,
  mapping_json TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX campaigns_by_organization ON campaigns (organization_uid, created_at);
CREATE INDEX campaigns_by_expiry ON campaigns (expires_at);

-- The last run of each mode. `state`: queued, running, finished, failed, canceled. `counts_json` and `done` follow the
-- checkpoints of the list's file, which decide where a run resumes. `base_url` begins the
-- links, and tokens of short links derive from `secret`.
CREATE TABLE campaign_runs (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  mode TEXT NOT NULL CHECK (mode IN ('proof', 'links', 'files', 'warm')),
  number INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'finished', 'failed', 'canceled')),
  version INTEGER NOT NULL,
  options_json TEXT NOT NULL,
  base_url TEXT NOT NULL,
  secret BLOB NOT NULL,
  done INTEGER NOT NULL DEFAULT 0,
  counts_json TEXT NOT NULL DEFAULT '{}',
  error TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  PRIMARY KEY (campaign_id, mode)
) STRICT, WITHOUT ROWID;

CREATE INDEX campaign_runs_open ON campaign_runs (created_at) WHERE state IN ('queued', 'running');

-- Requests for warm images that were not in memory.
CREATE TABLE campaign_warm_use (
  campaign_id TEXT PRIMARY KEY REFERENCES campaigns (id) ON DELETE CASCADE,
  hits INTEGER NOT NULL,
  misses INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
