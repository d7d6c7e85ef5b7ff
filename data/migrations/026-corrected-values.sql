-- Images of links with a value that another program escaped once too often, and that was corrected.
ALTER TABLE link_statistics ADD COLUMN corrected INTEGER NOT NULL DEFAULT 0;
