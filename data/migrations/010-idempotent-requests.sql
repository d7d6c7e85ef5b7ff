-- Requests with an Idempotency-Key, and their answers, for a day.

-- `key_digest` is SHA-256 over the API key and the idempotency key, `fingerprint` SHA-256 over the request. `answer` is
-- encrypted with both keys, of which neither is stored: it may hold a new API key. NULL: the request has no answer yet.
CREATE TABLE idempotent_requests (
  key_digest BLOB PRIMARY KEY CHECK (length(key_digest) = 32),
  organization_uid TEXT NOT NULL REFERENCES organizations (uid),
  fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
  created_at INTEGER NOT NULL,
  answer BLOB
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotent_requests_by_organization ON idempotent_requests (organization_uid, created_at);
CREATE INDEX idempotent_requests_by_time ON idempotent_requests (created_at);
