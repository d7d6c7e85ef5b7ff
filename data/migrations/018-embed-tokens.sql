-- The secret that embed tokens of a key are signed with; NULL until the first one, and after the key has ended.
ALTER TABLE api_keys ADD COLUMN embed_secret TEXT;
