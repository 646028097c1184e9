-- What user searches look at, in lower case.
ALTER TABLE users ADD COLUMN first_name TEXT;
ALTER TABLE users ADD COLUMN last_name TEXT;
UPDATE users SET
  first_name = lower(json_extract(representation, '$.firstName')),
  last_name = lower(json_extract(representation, '$.lastName'));

-- The roles and groups that users name. For a role of a client, container is that client's clientId; otherwise ''.
CREATE TABLE user_holdings (
  realm TEXT NOT NULL,
  kind TEXT NOT NULL,
  container TEXT NOT NULL,
  name TEXT NOT NULL,
  user_id TEXT NOT NULL,
  PRIMARY KEY (realm, kind, container, name, user_id)
) WITHOUT ROWID;
CREATE INDEX user_holdings_user ON user_holdings (realm, user_id);
INSERT OR IGNORE INTO user_holdings (realm, kind, container, name, user_id)
  SELECT realm, 'role', '', r.value, users.id FROM users, json_each(representation, '$.realmRoles') r;
INSERT OR IGNORE INTO user_holdings (realm, kind, container, name, user_id)
  SELECT realm, 'role', c.key, r.value, users.id FROM users, json_each(representation, '$.clientRoles') c, json_each(c.value) r;
INSERT OR IGNORE INTO user_holdings (realm, kind, container, name, user_id)
  SELECT realm, 'group', '', g.value, users.id FROM users, json_each(representation, '$.groups') g;
