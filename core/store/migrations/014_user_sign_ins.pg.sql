-- Since when users have not signed in. A table of its own, since a login is not to rewrite the row of its user. Of those who have
-- never signed in it counts from when they came to this store, or were enabled again: nothing is known of the time before. So it
-- does for users who are there already. Triggers keep it, so that users whom an older Keyhost writes are in it, too. A service
-- account is not. Of the enabled users the index has those first who have been away the longest.
CREATE TABLE user_sign_ins (
  realm TEXT NOT NULL,
  user_id TEXT NOT NULL,
  enabled BIGINT NOT NULL,
  idle_since BIGINT NOT NULL,
  last_sign_in BIGINT,
  PRIMARY KEY (realm, user_id)
);
-- It takes the longest, and keeps nobody from the table of users.
INSERT INTO user_sign_ins (realm, user_id, enabled, idle_since)
SELECT realm, id, CASE WHEN strpos(representation, '"enabled":true') > 0 THEN 1 ELSE 0 END,
  (extract(epoch FROM now()) * 1000)::bigint
FROM users WHERE COALESCE(service_account_client, '') = '';
CREATE INDEX user_sign_ins_by_time ON user_sign_ins (realm, idle_since, user_id) WHERE enabled = 1;
CREATE OR REPLACE FUNCTION user_sign_ins_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_sign_ins (realm, user_id, enabled, idle_since)
  VALUES (NEW.realm, NEW.id, CASE WHEN strpos(NEW.representation, '"enabled":true') > 0 THEN 1 ELSE 0 END,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION user_sign_ins_enabled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF strpos(NEW.representation, '"enabled":true') > 0 THEN
    UPDATE user_sign_ins SET enabled = 1, idle_since = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    WHERE realm = NEW.realm AND user_id = NEW.id;
  ELSE
    UPDATE user_sign_ins SET enabled = 0 WHERE realm = NEW.realm AND user_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION user_sign_ins_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM user_sign_ins WHERE realm = OLD.realm AND user_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER user_sign_ins_insert AFTER INSERT ON users FOR EACH ROW
  WHEN (COALESCE(NEW.service_account_client, '') = '') EXECUTE FUNCTION user_sign_ins_insert();
CREATE TRIGGER user_sign_ins_enabled AFTER UPDATE OF representation ON users FOR EACH ROW
  WHEN ((strpos(OLD.representation, '"enabled":true') > 0) <> (strpos(NEW.representation, '"enabled":true') > 0))
  EXECUTE FUNCTION user_sign_ins_enabled();
CREATE TRIGGER user_sign_ins_delete AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION user_sign_ins_delete();
-- Those who came between the first look and the triggers. Writes of users wait from the triggers on.
INSERT INTO user_sign_ins (realm, user_id, enabled, idle_since)
SELECT u.realm, u.id, CASE WHEN strpos(u.representation, '"enabled":true') > 0 THEN 1 ELSE 0 END,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint
FROM users u WHERE COALESCE(u.service_account_client, '') = ''
  AND NOT EXISTS (SELECT 1 FROM user_sign_ins s WHERE s.realm = u.realm AND s.user_id = u.id);
