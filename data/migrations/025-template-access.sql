-- Who may open the links of a template, what links may choose, and where they lead after a countdown. It belongs to the
-- template, not to a version. A table of its own, because a column would stand behind the drafts.

-- `access` is {"linkAuth", "linkOptions", "atZero"}. A template without a row was made by a node of an older version.
CREATE TABLE template_access (
  template_id INTEGER PRIMARY KEY REFERENCES templates (id),
  access TEXT NOT NULL CHECK (json_type(access) = 'object')
) STRICT;

-- Templates keep what their published version says, or else their draft. A list of all options of before gets `frames`.
-- A damaged document opens nothing.
INSERT INTO template_access
SELECT
  id,
  json_object(
    'linkAuth', coalesce(document ->> '$.linkAuth', 'open'),
    'linkOptions', json(CASE
      WHEN document -> '$.linkOptions' IS NULL
        OR (SELECT count(DISTINCT value) FROM json_each(document, '$.linkOptions')) = 5
      THEN '["format","scale","quality","lang","size","frames"]'
      ELSE document -> '$.linkOptions'
    END),
    'atZero', json(coalesce(document -> '$.clock.atZero', '"stay"'))
  )
FROM (
  SELECT t.id, iif(json_valid(d.document), d.document, '{"linkAuth":"key"}') AS document
  FROM templates t
  JOIN (
    SELECT t.id, coalesce(v.document_json, t.draft_json) AS document
    FROM templates t
    LEFT JOIN template_versions v ON v.template_id = t.id AND v.version = t.published_version
  ) d USING (id)
);
