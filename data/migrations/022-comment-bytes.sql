-- Comments count as stored bytes of their organization, with 200 for the row and its index.

UPDATE organizations SET stored_bytes = stored_bytes +
  (SELECT coalesce(sum(octet_length(c.text) + octet_length(c.layer_id) + 200), 0)
   FROM template_comments c JOIN templates t ON t.id = c.template_id
   WHERE t.organization_uid = organizations.uid);

CREATE TRIGGER comment_comes AFTER INSERT ON template_comments
BEGIN
  UPDATE organizations
  SET stored_bytes = stored_bytes + octet_length(NEW.text) + octet_length(NEW.layer_id) + 200
  WHERE uid = (SELECT organization_uid FROM templates WHERE id = NEW.template_id);
END;

CREATE TRIGGER comment_goes AFTER DELETE ON template_comments
BEGIN
  UPDATE organizations
  SET stored_bytes = stored_bytes - octet_length(OLD.text) - octet_length(OLD.layer_id) - 200
  WHERE uid = (SELECT organization_uid FROM templates WHERE id = OLD.template_id);
END;
