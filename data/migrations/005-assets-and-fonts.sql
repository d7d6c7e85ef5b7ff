-- Uploaded assets with the drawings of SVG ones, and organizations' own fonts.

-- Made anew, because large values must stand last: a list would read through all of their pages. `size_bytes`
-- counts bytes and drawing; `saved_at` is the last upload, from which an unused asset is kept for a while.
CREATE TABLE assets_new (
  organization_uid TEXT NOT NULL REFERENCES organizations (uid),
  digest TEXT NOT NULL CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
  format TEXT NOT NULL CHECK (length(format) BETWEEN 1 AND 16),
  width_px INTEGER NOT NULL CHECK (width_px >= 1),
  height_px INTEGER NOT NULL CHECK (height_px >= 1),
  orientation INTEGER NOT NULL CHECK (orientation BETWEEN 1 AND 8),
  pixel_ratio REAL NOT NULL CHECK (pixel_ratio > 0),
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 1),
  created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
  saved_at TEXT NOT NULL CHECK (saved_at GLOB '????-??-??T??:??:??.???Z'),
  -- Of an SVG: the PNG that is drawn in its place, and its SHA-256.
  drawing_digest TEXT CHECK (length(drawing_digest) = 64),
  drawing BLOB CHECK ((drawing IS NULL) = (drawing_digest IS NULL)),
  bytes BLOB NOT NULL CHECK (length(bytes) >= 1),
  PRIMARY KEY (organization_uid, digest)
) STRICT;

INSERT INTO assets_new
SELECT organization_uid, digest, format, width_px, height_px, orientation, 1.0, length(bytes),
       created_at, created_at, NULL, NULL, bytes
FROM assets;

DROP TABLE assets;
ALTER TABLE assets_new RENAME TO assets;

CREATE INDEX assets_by_age ON assets (organization_uid, created_at DESC, digest, size_bytes);
CREATE INDEX assets_by_last_save ON assets (saved_at);

-- Font files, always uncompressed TrueType or OpenType; `facts` is JSON that is only shown and handed on. A family has
-- one file a weight and style; its name counts without the case of its letters.
CREATE TABLE fonts (
  organization_uid TEXT NOT NULL REFERENCES organizations (uid),
  digest TEXT NOT NULL CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
  family TEXT NOT NULL CHECK (length(family) BETWEEN 1 AND 100),
  family_key TEXT NOT NULL CHECK (family_key <> ''),
  weight INTEGER NOT NULL CHECK (weight BETWEEN 1 AND 1000),
  italic INTEGER NOT NULL CHECK (italic IN (0, 1)),
  facts TEXT NOT NULL CHECK (json_valid(facts)),
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 1),
  created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
  bytes BLOB NOT NULL CHECK (length(bytes) >= 1),
  PRIMARY KEY (organization_uid, digest),
  UNIQUE (organization_uid, family_key, weight, italic)
) STRICT;

-- Counts up with each font that comes or goes: what was made with the others is out of date.
ALTER TABLE organizations ADD COLUMN fonts_revision INTEGER NOT NULL DEFAULT 0;
