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
) WITHOUT ROWID;
INSERT INTO user_sign_ins (realm, user_id, enabled, idle_since)
SELECT realm, id, instr(representation, '"enabled":true') > 0,
  CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)
FROM users WHERE COALESCE(service_account_client, '') = '';
CREATE INDEX user_sign_ins_by_time ON user_sign_ins (realm, idle_since, user_id) WHERE enabled = 1;
CREATE TRIGGER user_sign_ins_insert AFTER INSERT ON users WHEN COALESCE(new.service_account_client, '') = '' BEGIN
  INSERT INTO user_sign_ins (realm, user_id, enabled, idle_since)
  VALUES (new.realm, new.id, instr(new.representation, '"enabled":true') > 0,
    CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER))
  ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER user_sign_ins_enabled AFTER UPDATE OF representation ON users
WHEN (instr(old.representation, '"enabled":true') > 0) <> (instr(new.representation, '"enabled":true') > 0) BEGIN
  UPDATE user_sign_ins SET enabled = 0
  WHERE realm = new.realm AND user_id = new.id AND instr(new.representation, '"enabled":true') = 0;
  UPDATE user_sign_ins SET enabled = 1, idle_since = CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)
  WHERE realm = new.realm AND user_id = new.id AND instr(new.representation, '"enabled":true') > 0;
END;
CREATE TRIGGER user_sign_ins_delete AFTER DELETE ON users BEGIN
  DELETE FROM user_sign_ins WHERE realm = old.realm AND user_id = old.id;
END;
