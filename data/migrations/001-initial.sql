-- Organizations, their API keys, templates with immutable published versions, and image assets.
-- Timestamps are ISO 8601 UTC text with milliseconds; digests are SHA-256.

CREATE TABLE organizations (
  uid TEXT NOT NULL PRIMARY KEY
    CHECK (uid GLOB 'org_*' AND length(uid) BETWEEN 5 AND 64 AND uid NOT GLOB '*[^A-Za-z0-9_-]*'),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z')
) STRICT;

-- The key itself is never stored: `digest` finds it, `prefix` lets a person recognise it.
CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY,
  organization_uid TEXT NOT NULL REFERENCES organizations (uid),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
  prefix TEXT NOT NULL CHECK (length(prefix) <= 12),
  scopes TEXT NOT NULL DEFAULT '*',
  created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
  last_used_at TEXT CHECK (last_used_at GLOB '????-??-??T??:??:??.???Z'),
  revoked_at TEXT CHECK (revoked_at GLOB '????-??-??T??:??:??.???Z')
) STRICT;

CREATE INDEX api_keys_by_organization ON api_keys (organization_uid);

-- `name` is the shown one: the published version's, or the draft's as long as there is none.
-- `draft_json` stands last, so that lists never read its pages.
CREATE TABLE templates (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE
    CHECK (length(uid) BETWEEN 1 AND 64 AND uid NOT GLOB '*[^A-Za-z0-9_-]*'),
  organization_uid TEXT NOT NULL REFERENCES organizations (uid),
  name TEXT NOT NULL CHECK (name <> ''),
  type TEXT NOT NULL DEFAULT 'image' CHECK (type = 'image'),
  created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
  updated_at TEXT NOT NULL CHECK (updated_at GLOB '????-??-??T??:??:??.???Z'),
  archived_at TEXT CHECK (archived_at GLOB '????-??-??T??:??:??.???Z'),
  published_version INTEGER,
  draft_cid TEXT NOT NULL CHECK (length(draft_cid) = 32 AND draft_cid NOT GLOB '*[^0-9a-f]*'),
  draft_json TEXT NOT NULL CHECK (json_valid(draft_json)),
  FOREIGN KEY (id, published_version) REFERENCES template_versions (template_id, version)
) STRICT;

CREATE INDEX templates_by_organization ON templates (organization_uid, created_at DESC, id DESC)
  WHERE archived_at IS NULL;

CREATE TABLE template_versions (
  template_id INTEGER NOT NULL REFERENCES templates (id),
  version INTEGER NOT NULL CHECK (version >= 1),
  cid TEXT NOT NULL CHECK (length(cid) = 32 AND cid NOT GLOB '*[^0-9a-f]*'),
  note TEXT NOT NULL DEFAULT '' CHECK (length(note) <= 1000),
  published_at TEXT NOT NULL CHECK (published_at GLOB '????-??-??T??:??:??.???Z'),
  document_json TEXT NOT NULL CHECK (json_valid(document_json)),
  PRIMARY KEY (template_id, version)
) STRICT;

CREATE TRIGGER template_versions_never_change BEFORE UPDATE ON template_versions
BEGIN
  SELECT RAISE(ABORT, 'a published template version never changes');
END;

CREATE TRIGGER template_versions_never_go BEFORE DELETE ON template_versions
BEGIN
  SELECT RAISE(ABORT, 'a published template version is never deleted');
END;

-- INSERT OR REPLACE deletes without the trigger above wherever recursive triggers are off.
CREATE TRIGGER template_versions_are_never_replaced BEFORE INSERT ON template_versions
WHEN EXISTS (
  SELECT 1 FROM template_versions
  WHERE template_id = NEW.template_id AND version = NEW.version
)
BEGIN
  SELECT RAISE(ABORT, 'a published template version never changes');
END;

-- Image files by content. The header's facts are as the file stores them, before an EXIF turn.
CREATE TABLE assets (
  organization_uid TEXT NOT NULL REFERENCES organizations (uid),
  digest TEXT NOT NULL CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
  format TEXT NOT NULL CHECK (length(format) BETWEEN 1 AND 16),
  width_px INTEGER NOT NULL CHECK (width_px >= 1),
  height_px INTEGER NOT NULL CHECK (height_px >= 1),
  orientation INTEGER NOT NULL CHECK (orientation BETWEEN 1 AND 8),
  created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
  bytes BLOB NOT NULL CHECK (length(bytes) >= 1),
  PRIMARY KEY (organization_uid, digest)
) STRICT;
