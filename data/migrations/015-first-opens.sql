-- When each contact first opened a template with an evergreen countdown. A contact is a keyed hash: no row names anybody.

-- `started_at` is a Unix time in seconds.
CREATE TABLE first_opens (
  template_id INTEGER NOT NULL REFERENCES templates (id),
  contact BLOB NOT NULL CHECK (length(contact) = 16),
  started_at INTEGER NOT NULL,
  PRIMARY KEY (template_id, contact)
) STRICT, WITHOUT ROWID;

CREATE INDEX first_opens_by_start ON first_opens (started_at);

-- How many rows each template has: counting a million of them would hold up links.
CREATE TABLE first_open_counts (
  template_id INTEGER PRIMARY KEY REFERENCES templates (id),
  contacts INTEGER NOT NULL
) STRICT;

CREATE TRIGGER first_open_comes AFTER INSERT ON first_opens
BEGIN
  INSERT INTO first_open_counts VALUES (NEW.template_id, 1)
  ON CONFLICT DO UPDATE SET contacts = contacts + 1;
END;

CREATE TRIGGER first_open_goes AFTER DELETE ON first_opens
BEGIN
  UPDATE first_open_counts SET contacts = contacts - 1 WHERE template_id = OLD.template_id;
END;

-- The key of the hashes.
CREATE TABLE contact_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  secret BLOB NOT NULL CHECK (length(secret) = 32)
) STRICT;

INSERT INTO contact_key VALUES (1, randomblob(32));
