-- What a version draws with, and when links last drew an asset.

-- The SHA-256 digests of the organization's own fonts that a version draws with, a JSON array: found when it is published,
-- so that no later upload changes it. NULL: published before this was kept, or by a process of an older version.
ALTER TABLE template_versions ADD COLUMN font_digests TEXT
  CHECK (font_digests IS NULL OR json_type(font_digests) = 'array');

-- The last day, `2030-01-31` in UTC, on which a picture was drawn with an asset. A table of its own, because a column
-- would stand behind the bytes.
CREATE TABLE asset_use (
  organization_uid TEXT NOT NULL,
  digest TEXT NOT NULL,
  used_on TEXT NOT NULL CHECK (used_on GLOB '????-??-??'),
  PRIMARY KEY (organization_uid, digest),
  FOREIGN KEY (organization_uid, digest) REFERENCES assets (organization_uid, digest) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
