-- Lists of campaigns count as stored bytes of their organization. `file_bytes` are those of `list.db` when it was read.

ALTER TABLE campaigns ADD COLUMN file_bytes INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER campaign_comes AFTER INSERT ON campaigns
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes + NEW.file_bytes
  WHERE uid = NEW.organization_uid;
END;

CREATE TRIGGER campaign_goes AFTER DELETE ON campaigns
BEGIN
  UPDATE organizations SET stored_bytes = stored_bytes - OLD.file_bytes
  WHERE uid = OLD.organization_uid;
END;
