-- The username beside the place of a user: a search that has many users to put in order does so without looking at each of them.
ALTER TABLE users_search_places ADD COLUMN username TEXT;
UPDATE users_search_places SET username = (SELECT u.username FROM users u WHERE u.realm = users_search_places.realm AND u.id = users_search_places.id);
CREATE TRIGGER users_search_username AFTER INSERT ON users_search_places BEGIN
  UPDATE users_search_places SET username = (SELECT u.username FROM users u WHERE u.realm = new.realm AND u.id = new.id)
  WHERE n = new.n;
END;
