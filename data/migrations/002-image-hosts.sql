-- Hosts on which an organization's links may name images: a JSON array of `example.com` and
-- `*.example.com`. NULL: any public host.

ALTER TABLE organizations ADD COLUMN image_hosts TEXT
  CHECK (image_hosts IS NULL OR json_type(image_hosts) = 'array');
