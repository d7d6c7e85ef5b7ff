-- Bytes that an organization stores: drafts and versions of templates, assets and fonts. Triggers keep the sum, so that
-- reading it costs one row, and a process of an older version that still runs counts too.

ALTER TABLE organizations ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0;

UPDATE organizations SET stored_bytes =
  (SELECT coalesce(sum(octet_length(draft_json)), 0) FROM templates
   WHERE organization_uid = organizations.uid) +
  (SELECT coalesce(sum(octet_length(v.document_json)), 0)
   FROM template_versions v JOIN templates t ON t.id = v.template_id
   WHERE t.organization_uid = organizations.uid) +
  (SELECT coalesce(sum(size_bytes), 0) FROM assets WHERE organization_uid = organizations.uid) +
  (SELECT coalesce(sum(size_bytes), 0) FROM fonts WHERE organization_uid = organizations.uid);

CREATE TRIGGER draft_comes AFTER INSERT ON templates
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes + octet_length(NEW.draft_json)
  WHERE uid = NEW.organization_uid;
END;

CREATE TRIGGER draft_changes AFTER UPDATE OF draft_json ON templates
BEGIN
  UPDATE organizations
  SET stored_bytes = stored_bytes + octet_length(NEW.draft_json) - octet_length(OLD.draft_json)
  WHERE uid = NEW.organization_uid;
END;

CREATE TRIGGER version_comes AFTER INSERT ON template_versions
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes + octet_length(NEW.document_json)
  WHERE uid = (SELECT organization_uid FROM templates WHERE id = NEW.template_id);
END;

CREATE TRIGGER asset_comes AFTER INSERT ON assets
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes + NEW.size_bytes
  WHERE uid = NEW.organization_uid;
END;

CREATE TRIGGER asset_goes AFTER DELETE ON assets
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes - OLD.size_bytes
  WHERE uid = OLD.organization_uid;
END;

CREATE TRIGGER font_comes AFTER INSERT ON fonts
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes + NEW.size_bytes
  WHERE uid = NEW.organization_uid;
END;

CREATE TRIGGER font_goes AFTER DELETE ON fonts
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes - OLD.size_bytes
  WHERE uid = OLD.organization_uid;
END;
