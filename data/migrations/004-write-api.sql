-- Signing keys of templates, and a fast list of archived templates.

-- A link is verified with the key itself, so the key is stored, not its digest. AUTOINCREMENT: the id of a
-- removed key never names another one.
CREATE TABLE signing_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  template_id INTEGER NOT NULL REFERENCES templates (id),
  secret TEXT NOT NULL UNIQUE CHECK (length(secret) BETWEEN 32 AND 200),
  created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z')
) STRICT;

CREATE INDEX signing_keys_by_template ON signing_keys (template_id);

CREATE INDEX archived_templates_by_organization ON templates (organization_uid, created_at DESC, id DESC)
  WHERE archived_at IS NOT NULL;
