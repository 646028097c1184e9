-- The username beside the place of a user: a search that has many users to put in order does so without looking at each of them.
-- Places that are there already get theirs a few at a time while the host serves, up to the number `named`.
ALTER TABLE users_search_places ADD COLUMN username TEXT;
ALTER TABLE users_search_progress ADD COLUMN named BIGINT NOT NULL DEFAULT 0;
CREATE TRIGGER users_search_username AFTER INSERT ON users_search_places BEGIN
  UPDATE users_search_places SET username = (SELECT u.username FROM users u WHERE u.realm = new.realm AND u.id = new.id)
  WHERE n = new.n;
END;
