-- Nodes of a shared database have the rows of data tables from PostgreSQL. `revision` counts the changes of single rows of
-- a file: a node reads those that it lacks.
ALTER TABLE data_tables ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

-- Of one node: the file that look-ups read for a table, with its columns. It is that of `data_tables`, or the one before
-- until the node has that. Without a row here, it is that of `data_tables`.
CREATE TABLE node_tables (
  organization_uid TEXT NOT NULL,
  name TEXT NOT NULL,
  file_id TEXT NOT NULL,
  columns_json TEXT NOT NULL,
  PRIMARY KEY (organization_uid, name)
) STRICT;
