-- How people arrange templates. A table of its own, because columns would stand behind the drafts, and lists would read their pages.

-- A folder exists as long as a template is in it; '' is none. `tags_json` is an array of texts.
CREATE TABLE template_labels (
  template_id INTEGER PRIMARY KEY REFERENCES templates (id),
  folder TEXT NOT NULL CHECK (length(folder) <= 100),
  tags_json TEXT NOT NULL CHECK (json_type(tags_json) = 'array')
) STRICT;
