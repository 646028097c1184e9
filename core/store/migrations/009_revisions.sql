-- Each change of a realm, or of its keys, takes the next revision and keeps it from others until it is written: who has read
-- all changes up to a revision has missed none before it.
CREATE TABLE revisions (
  id BIGINT NOT NULL PRIMARY KEY,
  revision BIGINT NOT NULL
);
INSERT INTO revisions (id, revision) VALUES (1, 0);

-- The last change of each realm, and of those that are gone.
CREATE TABLE realm_revisions (
  realm TEXT NOT NULL PRIMARY KEY,
  revision BIGINT NOT NULL
);
CREATE INDEX realm_revisions_order ON realm_revisions (revision);
