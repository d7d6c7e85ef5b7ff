-- Links with a token in place of their values. `link_json` is the rest of the link: its format and its parameters.

-- `expires_at` is a Unix time in seconds.
CREATE TABLE short_links (
  token TEXT PRIMARY KEY CHECK (length(token) = 20),
  template_id INTEGER NOT NULL REFERENCES templates (id),
  link_json TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX short_links_by_expiry ON short_links (expires_at);
CREATE INDEX short_links_by_template ON short_links (template_id);

-- They count as stored bytes of their organization, with 200 for the row and its indexes.
CREATE TRIGGER short_link_comes AFTER INSERT ON short_links
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes + octet_length(NEW.link_json) + 200
  WHERE uid = (SELECT organization_uid FROM templates WHERE id = NEW.template_id);
END;

CREATE TRIGGER short_link_goes AFTER DELETE ON short_links
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes - octet_length(OLD.link_json) - 200
  WHERE uid = (SELECT organization_uid FROM templates WHERE id = OLD.template_id);
END;
