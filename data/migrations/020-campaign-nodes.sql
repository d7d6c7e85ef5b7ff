-- Runs of campaigns over a shared database. `owner` is the node that does the run, or did it last. `files_json` names the
-- files that a finished run has made, which PostgreSQL has in parts.
ALTER TABLE campaign_runs ADD COLUMN owner INTEGER;
ALTER TABLE campaign_runs ADD COLUMN files_json TEXT NOT NULL DEFAULT '{}';
