-- Times are milliseconds since the epoch. Every key begins with the realm's name.

CREATE TABLE realms (
  name TEXT NOT NULL PRIMARY KEY,
  id TEXT NOT NULL,
  version BIGINT NOT NULL,
  representation TEXT NOT NULL,
  source TEXT
);

CREATE TABLE users (
  realm TEXT NOT NULL,
  id TEXT NOT NULL,
  username TEXT NOT NULL,
  email TEXT,
  -- Position among the users of one realm with the same e-mail address, in the order in which they took it.
  email_order BIGINT NOT NULL,
  service_account_client TEXT,
  version BIGINT NOT NULL,
  representation TEXT NOT NULL,
  PRIMARY KEY (realm, id),
  UNIQUE (realm, username),
  UNIQUE (realm, service_account_client)
);
CREATE INDEX users_email ON users (realm, email, email_order) WHERE email IS NOT NULL;

CREATE TABLE realm_keys (
  realm TEXT NOT NULL,
  kid TEXT NOT NULL,
  key_use TEXT NOT NULL,
  algorithm TEXT NOT NULL,
  status TEXT NOT NULL,
  priority BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  material TEXT NOT NULL,
  PRIMARY KEY (realm, kid)
);

CREATE TABLE user_sessions (
  realm TEXT NOT NULL,
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  last_refresh BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  ip_address TEXT,
  remember_me BIGINT NOT NULL,
  offline BIGINT NOT NULL,
  auth_method TEXT NOT NULL,
  auth_time BIGINT,
  notes TEXT NOT NULL,
  PRIMARY KEY (realm, id)
);
CREATE INDEX user_sessions_user ON user_sessions (realm, user_id);
CREATE INDEX user_sessions_expiry ON user_sessions (expires_at);

CREATE TABLE client_sessions (
  realm TEXT NOT NULL,
  session_id TEXT NOT NULL,
  client_uuid TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  last_refresh BIGINT NOT NULL,
  scope TEXT NOT NULL,
  notes TEXT NOT NULL,
  PRIMARY KEY (realm, session_id, client_uuid)
);
CREATE INDEX client_sessions_client ON client_sessions (realm, client_uuid);

-- No index on the expiry: it changes with every rotation, and a family goes with its session.
CREATE TABLE families (
  realm TEXT NOT NULL,
  id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  client_uuid TEXT NOT NULL,
  user_id TEXT NOT NULL,
  -- JSON array of token hashes.
  pending TEXT NOT NULL,
  used TEXT,
  uses BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (realm, id)
);
CREATE INDEX families_session ON families (realm, session_id);
CREATE INDEX families_user ON families (realm, user_id);

CREATE TABLE tickets (
  realm TEXT NOT NULL,
  kind TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  payload TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  redeemed_at BIGINT,
  PRIMARY KEY (realm, kind, key_hash)
);
CREATE INDEX tickets_expiry ON tickets (expires_at);

CREATE TABLE marks (
  realm TEXT NOT NULL,
  kind TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (realm, kind, key_hash)
);
CREATE INDEX marks_expiry ON marks (expires_at);

CREATE TABLE counters (
  realm TEXT NOT NULL,
  subject TEXT NOT NULL,
  bumps BIGINT NOT NULL,
  first_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (realm, subject)
);
CREATE INDEX counters_expiry ON counters (expires_at);

CREATE TABLE events (
  realm TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  time BIGINT NOT NULL,
  type TEXT NOT NULL,
  client_id TEXT,
  user_id TEXT,
  ip_address TEXT,
  body TEXT NOT NULL,
  expires_at BIGINT,
  PRIMARY KEY (realm, id)
);
CREATE INDEX events_time ON events (realm, kind, time, id);
CREATE INDEX events_user ON events (realm, user_id, time) WHERE user_id IS NOT NULL;
CREATE INDEX events_expiry ON events (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE entries (
  realm TEXT NOT NULL,
  namespace TEXT NOT NULL,
  entry_key TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at BIGINT,
  PRIMARY KEY (realm, namespace, entry_key)
);
CREATE INDEX entries_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
