-- What a list of realms shows: in an index of its own, so that no representation is read for it.
ALTER TABLE realms ADD COLUMN display_name TEXT;
ALTER TABLE realms ADD COLUMN enabled BIGINT NOT NULL DEFAULT 0;
UPDATE realms SET
  display_name = json_extract(representation, '$.displayName'),
  enabled = COALESCE(json_extract(representation, '$.enabled'), 0);
CREATE INDEX realms_summary ON realms (name, id, display_name, enabled);
