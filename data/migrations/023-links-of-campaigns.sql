-- Short links that a campaign has made are deleted with it on request, also after the campaign itself is gone.

ALTER TABLE short_links ADD COLUMN campaign_id TEXT;

CREATE INDEX short_links_by_campaign ON short_links (campaign_id) WHERE campaign_id IS NOT NULL;
