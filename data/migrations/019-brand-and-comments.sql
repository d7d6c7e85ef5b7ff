-- The brand kit of an organization, and comments on the layers of its templates.

-- Colours, text styles, logos and fonts as one JSON object. Templates have the values of their own, and the names that they follow.
CREATE TABLE brand_kits (
  organization_uid TEXT PRIMARY KEY REFERENCES organizations (uid),
  brand_json TEXT NOT NULL CHECK (json_type(brand_json) = 'object'),
  updated_at TEXT NOT NULL
) STRICT;

-- `layer_id` names a layer of the draft: it may be gone, and come back with an undo. Times are ISO 8601 UTC with milliseconds.
CREATE TABLE template_comments (
  id TEXT PRIMARY KEY,
  template_id INTEGER NOT NULL REFERENCES templates (id),
  layer_id TEXT NOT NULL,
  text TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  author TEXT NOT NULL,
  created_at TEXT NOT NULL,
  resolved_at TEXT
) STRICT;

CREATE INDEX template_comments_by_template ON template_comments (template_id, created_at);
