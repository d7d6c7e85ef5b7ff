-- Webhooks of organizations, what is to be sent to them, and which templates fail.

-- `secret` signs, so it is stored as signing keys are. `events_json` lists types of events. `failing_since` is the first
-- of the failed attempts since the last success. `disabled_cause`: NULL while it is sent to. Times are milliseconds since the epoch.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY CHECK (length(id) = 23),
  organization_uid TEXT NOT NULL REFERENCES organizations (uid),
  url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  secret TEXT NOT NULL,
  events_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  failing_since INTEGER,
  disabled_cause TEXT CHECK (disabled_cause IN ('failing', 'gone'))
) STRICT, WITHOUT ROWID;

CREATE INDEX webhooks_by_organization ON webhooks (organization_uid, created_at);

-- One event for one webhook. `next_at` is when a waiting one is due; it lies ahead while an attempt is in flight, so that
-- another process, or the next one after a kill, repeats an attempt without an end. `attempts_json` is an array.
CREATE TABLE webhook_deliveries (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
  next_at INTEGER NOT NULL,
  attempts_json TEXT NOT NULL
) STRICT;

CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, sequence);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (created_at);

-- Templates for which `template.failing` was sent, until `template.recovered`.
CREATE TABLE failing_templates (
  template_uid TEXT PRIMARY KEY,
  failing_since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
