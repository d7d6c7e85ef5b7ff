-- What drafts and versions name, so that a look-up tells whether an asset or a font is in use, and which templates follow
-- the brand kit. Of one node: each fills it from its copy of the documents.

-- `reference` is a digest of the organization and the name. Rows of drafts change with them; those of versions stay.
CREATE TABLE document_references (
  reference BLOB NOT NULL,
  template_uid TEXT NOT NULL,
  is_draft INTEGER NOT NULL,
  PRIMARY KEY (reference, template_uid, is_draft)
) STRICT, WITHOUT ROWID;

CREATE INDEX document_references_of_drafts ON document_references (template_uid) WHERE is_draft = 1;

-- Documents that the table above does not have yet; version 0 is the draft. Triggers write it, so that a process of an
-- older version cannot leave one out.
CREATE TABLE unindexed_documents (
  template_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (template_id, version)
) STRICT, WITHOUT ROWID;

INSERT INTO unindexed_documents SELECT id, 0 FROM templates;
INSERT INTO unindexed_documents SELECT template_id, version FROM template_versions;

CREATE TRIGGER new_draft_waits AFTER INSERT ON templates
BEGIN
  INSERT INTO unindexed_documents VALUES (NEW.id, 0) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER draft_waits AFTER UPDATE OF draft_json ON templates
WHEN OLD.draft_cid <> NEW.draft_cid
BEGIN
  INSERT INTO unindexed_documents VALUES (NEW.id, 0) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER version_waits AFTER INSERT ON template_versions
BEGIN
  INSERT INTO unindexed_documents VALUES (NEW.template_id, NEW.version) ON CONFLICT DO NOTHING;
END;
