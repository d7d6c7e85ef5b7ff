-- How often templates are drawn, so that a start knows whose plans to make first. Renders lose half of their
-- weight each week: `renders` is the weighed count at `counted_at`, milliseconds since the epoch.

CREATE TABLE template_use (
  template_id INTEGER NOT NULL PRIMARY KEY REFERENCES templates (id),
  renders REAL NOT NULL CHECK (renders >= 0),
  counted_at INTEGER NOT NULL CHECK (counted_at >= 0)
) STRICT;
