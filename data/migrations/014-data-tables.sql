-- Data tables: variables of templates take values of their rows. The rows of a table are a database of their own, the file
-- `tables/<file_id>.db` beside this one: an upload writes a new file, and the row here then names it.

-- `columns_json` is an array of names. `size_bytes` are those of keys and cells. `updated_at` is in ms since the epoch.
CREATE TABLE data_tables (
  id INTEGER PRIMARY KEY,
  organization_uid TEXT NOT NULL REFERENCES organizations (uid),
  name TEXT NOT NULL,
  file_id TEXT NOT NULL UNIQUE,
  key_column TEXT NOT NULL,
  columns_json TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (organization_uid, name)
) STRICT;

-- They count as stored bytes of their organization.
CREATE TRIGGER data_table_comes AFTER INSERT ON data_tables
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes + NEW.size_bytes
  WHERE uid = NEW.organization_uid;
END;

CREATE TRIGGER data_table_changes AFTER UPDATE OF size_bytes ON data_tables
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes + NEW.size_bytes - OLD.size_bytes
  WHERE uid = NEW.organization_uid;
END;

CREATE TRIGGER data_table_goes AFTER DELETE ON data_tables
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes - OLD.size_bytes
  WHERE uid = OLD.organization_uid;
END;
