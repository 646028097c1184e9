-- What user searches go by: the texts of a user in pieces of three characters. Characters 1 and 2 are before and behind each
-- text: before the first of it and behind the last of it, every character begins a piece. Triggers keep it, so that users whom
-- an older Keyhost writes are found, too; users that are there already are added a few at a time while the host serves.
-- The table of places gives each user a number that VACUUM does not change.
CREATE TABLE users_search_places (
  n INTEGER NOT NULL PRIMARY KEY,
  realm TEXT NOT NULL,
  id TEXT NOT NULL,
  UNIQUE (realm, id)
);
CREATE VIRTUAL TABLE users_search USING fts5(
  text, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE users_search_pieces USING fts5vocab(users_search, row);
-- Up to where users of before are in it; one row.
CREATE TABLE users_search_progress (
  realm TEXT NOT NULL,
  id TEXT NOT NULL,
  done BIGINT NOT NULL
);
INSERT INTO users_search_progress (realm, id, done) VALUES ('', '', 0);
CREATE TRIGGER users_search_place AFTER INSERT ON users_search_places BEGIN
  INSERT INTO users_search (rowid, text)
  SELECT new.n, char(1) || u.username || char(2, 2, 1) || COALESCE(u.email, '') || char(2, 2, 1) ||
    COALESCE(u.first_name, '') || char(2, 2, 1) || COALESCE(u.last_name, '') || char(2, 2)
  FROM users u WHERE u.realm = new.realm AND u.id = new.id;
END;
CREATE TRIGGER users_search_insert AFTER INSERT ON users BEGIN
  INSERT INTO users_search_places (realm, id) VALUES (new.realm, new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER users_search_update AFTER UPDATE OF username, email, first_name, last_name ON users
WHEN old.username IS NOT new.username OR old.email IS NOT new.email OR old.first_name IS NOT new.first_name
  OR old.last_name IS NOT new.last_name BEGIN
  DELETE FROM users_search WHERE rowid = (SELECT n FROM users_search_places WHERE realm = new.realm AND id = new.id);
  DELETE FROM users_search_places WHERE realm = new.realm AND id = new.id;
  INSERT INTO users_search_places (realm, id) VALUES (new.realm, new.id);
END;
CREATE TRIGGER users_search_delete AFTER DELETE ON users BEGIN
  DELETE FROM users_search WHERE rowid = (SELECT n FROM users_search_places WHERE realm = old.realm AND id = old.id);
  DELETE FROM users_search_places WHERE realm = old.realm AND id = old.id;
END;
