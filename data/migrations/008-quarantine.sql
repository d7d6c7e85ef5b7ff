-- Published versions whose renders were lost with their process, and since when a version is refused for it.

-- `template_key` names the document as render processes know it. `lost_at` and `quarantined_at` are milliseconds since
-- the epoch; losses that are older than an hour do not count. NULL: the version is rendered.
CREATE TABLE lost_renders (
  organization_uid TEXT NOT NULL,
  template_uid TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  template_key TEXT NOT NULL,
  losses INTEGER NOT NULL CHECK (losses >= 1),
  lost_at INTEGER NOT NULL CHECK (lost_at >= 0),
  cause TEXT NOT NULL CHECK (length(cause) BETWEEN 1 AND 32),
  quarantined_at INTEGER CHECK (quarantined_at >= 0),
  PRIMARY KEY (template_uid, version)
) STRICT, WITHOUT ROWID;
