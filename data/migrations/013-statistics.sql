-- What links of templates were answered with, as counts of a day: no address, no value and no user agent.

-- `day` is a date in UTC. `version` is 0 for the sum of versions beyond the rows of a day. `client` is a kind of client.
CREATE TABLE link_statistics (
  template_id INTEGER NOT NULL REFERENCES templates (id),
  day TEXT NOT NULL CHECK (length(day) = 10),
  version INTEGER NOT NULL CHECK (version >= 0),
  client TEXT NOT NULL,
  images INTEGER NOT NULL,
  drawn INTEGER NOT NULL,
  degraded INTEGER NOT NULL,
  substitutes INTEGER NOT NULL,
  unmerged INTEGER NOT NULL,
  PRIMARY KEY (template_id, day, version, client)
) STRICT, WITHOUT ROWID;

CREATE INDEX link_statistics_by_day ON link_statistics (day);

CREATE TABLE link_errors (
  template_id INTEGER NOT NULL REFERENCES templates (id),
  day TEXT NOT NULL CHECK (length(day) = 10),
  code TEXT NOT NULL,
  errors INTEGER NOT NULL,
  PRIMARY KEY (template_id, day, code)
) STRICT, WITHOUT ROWID;

CREATE INDEX link_errors_by_day ON link_errors (day);

-- Milliseconds since the epoch; it outlasts the counts.
CREATE TABLE link_use (
  template_id INTEGER PRIMARY KEY REFERENCES templates (id),
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT;
