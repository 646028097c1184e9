-- An offline session has the id of the login that it was begun from: both are told apart by `offline`, in the keys too.
CREATE TABLE keyed_user_sessions (
  realm TEXT NOT NULL,
  id TEXT NOT NULL,
  offline BIGINT NOT NULL,
  user_id TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  last_refresh BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  ip_address TEXT,
  remember_me BIGINT NOT NULL,
  auth_method TEXT NOT NULL,
  auth_time BIGINT,
  notes TEXT NOT NULL,
  PRIMARY KEY (realm, id, offline)
);
INSERT INTO keyed_user_sessions (realm, id, offline, user_id, started_at, last_refresh, expires_at, ip_address, remember_me,
    auth_method, auth_time, notes)
  SELECT realm, id, offline, user_id, started_at, last_refresh, expires_at, ip_address, remember_me, auth_method, auth_time,
    notes FROM user_sessions;

CREATE TABLE keyed_client_sessions (
  realm TEXT NOT NULL,
  session_id TEXT NOT NULL,
  offline BIGINT NOT NULL,
  client_uuid TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  last_refresh BIGINT NOT NULL,
  scope TEXT NOT NULL,
  notes TEXT NOT NULL,
  PRIMARY KEY (realm, session_id, offline, client_uuid)
);
INSERT INTO keyed_client_sessions (realm, session_id, offline, client_uuid, started_at, last_refresh, scope, notes)
  SELECT c.realm, c.session_id, s.offline, c.client_uuid, c.started_at, c.last_refresh, c.scope, c.notes
    FROM client_sessions c JOIN user_sessions s ON s.realm = c.realm AND s.id = c.session_id;

ALTER TABLE families ADD COLUMN offline BIGINT NOT NULL DEFAULT 0;
UPDATE families SET offline = 1 WHERE (realm, session_id) IN (SELECT realm, id FROM user_sessions WHERE offline = 1);

DROP TABLE client_sessions;
DROP TABLE user_sessions;
ALTER TABLE keyed_user_sessions RENAME TO user_sessions;
ALTER TABLE keyed_client_sessions RENAME TO client_sessions;
CREATE INDEX user_sessions_user ON user_sessions (realm, user_id);
CREATE INDEX user_sessions_expiry ON user_sessions (expires_at);
CREATE INDEX client_sessions_client ON client_sessions (realm, client_uuid);
