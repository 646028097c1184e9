-- What user searches go by: the texts of a user in pieces of three characters, and whole. Characters 1 and 2 are before and behind
-- each text: before the first of it and behind the last of it, every character begins a piece. Triggers keep it, so that users
-- whom an older Keyhost writes are found, too; users that are there already are added a few at a time while the host serves.
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
-- E-mail addresses and names of users, but not of service accounts, in order.
CREATE TABLE users_search_texts (
  realm TEXT NOT NULL,
  text TEXT NOT NULL,
  username TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (realm, text, username, id)
) WITHOUT ROWID;
-- The last ones that were written: searches look at each of them. They get their places together, which costs a fifth of one
-- by one.
CREATE TABLE users_search_waiting (
  realm TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (realm, id)
) WITHOUT ROWID;
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
  INSERT INTO users_search_texts (realm, text, username, id)
  SELECT new.realm, t.text, t.username, new.id FROM (
    SELECT email AS text, username, service_account_client FROM users WHERE realm = new.realm AND id = new.id
    UNION ALL SELECT first_name, username, service_account_client FROM users WHERE realm = new.realm AND id = new.id
    UNION ALL SELECT last_name, username, service_account_client FROM users WHERE realm = new.realm AND id = new.id
  ) t WHERE t.text IS NOT NULL AND COALESCE(t.service_account_client, '') = ''
  ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER users_search_full AFTER INSERT ON users_search_waiting
WHEN (SELECT count(*) FROM users_search_waiting) >= 64 BEGIN
  INSERT INTO users_search_places (realm, id) SELECT realm, id FROM users_search_waiting WHERE true
  ON CONFLICT DO NOTHING;
  DELETE FROM users_search_waiting;
END;
CREATE TRIGGER users_search_insert AFTER INSERT ON users BEGIN
  INSERT INTO users_search_waiting (realm, id) VALUES (new.realm, new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER users_search_update
AFTER UPDATE OF username, email, first_name, last_name, service_account_client ON users
WHEN old.username IS NOT new.username OR old.email IS NOT new.email OR old.first_name IS NOT new.first_name
  OR old.last_name IS NOT new.last_name OR old.service_account_client IS NOT new.service_account_client BEGIN
  DELETE FROM users_search WHERE rowid = (SELECT n FROM users_search_places WHERE realm = new.realm AND id = new.id);
  DELETE FROM users_search_places WHERE realm = new.realm AND id = new.id;
  DELETE FROM users_search_texts WHERE realm = old.realm AND text IN (old.email, old.first_name, old.last_name)
    AND username = old.username AND id = old.id;
  INSERT INTO users_search_waiting (realm, id) VALUES (new.realm, new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER users_search_delete AFTER DELETE ON users BEGIN
  DELETE FROM users_search WHERE rowid = (SELECT n FROM users_search_places WHERE realm = old.realm AND id = old.id);
  DELETE FROM users_search_places WHERE realm = old.realm AND id = old.id;
  DELETE FROM users_search_texts WHERE realm = old.realm AND text IN (old.email, old.first_name, old.last_name)
    AND username = old.username AND id = old.id;
  DELETE FROM users_search_waiting WHERE realm = old.realm AND id = old.id;
END;
