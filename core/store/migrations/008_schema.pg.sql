-- What migrations 001 to 008 make together. Times are milliseconds since the epoch. Every key begins with the realm's name.
-- Texts are compared byte by byte, whatever the language of the database.

CREATE TABLE realms (
  name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  id TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  representation TEXT NOT NULL,
  source TEXT,
  display_name TEXT,
  enabled BIGINT NOT NULL DEFAULT 0
);

-- What a realm's file said when it was last applied, as JSON: the common ground of the file and of what admins edited.
CREATE TABLE realm_declarations (
  realm TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  declared TEXT NOT NULL
);

CREATE TABLE users (
  realm TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  username TEXT COLLATE "C" NOT NULL,
  email TEXT COLLATE "C",
  -- Position among the users of one realm with the same e-mail address, in the order in which they took it.
  email_order BIGINT NOT NULL,
  service_account_client TEXT COLLATE "C",
  version BIGINT NOT NULL,
  representation TEXT NOT NULL,
  -- What user searches look at, in lower case.
  first_name TEXT COLLATE "C",
  last_name TEXT COLLATE "C",
  PRIMARY KEY (realm, id),
  UNIQUE (realm, username),
  UNIQUE (realm, service_account_client)
);
CREATE INDEX users_email ON users (realm, email, email_order) WHERE email IS NOT NULL;

-- The roles, groups, clients, client scopes and accounts that users name. For a role of a client, container is that client's
-- clientId; for an account at an identity provider the provider's alias; otherwise ''.
CREATE TABLE user_holdings (
  realm TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  container TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (realm, kind, container, name, user_id)
);
CREATE INDEX user_holdings_user ON user_holdings (realm, user_id);
-- One account belongs to one user.
CREATE UNIQUE INDEX user_holdings_identity ON user_holdings (realm, container, name) WHERE kind = 'identity';

CREATE TABLE realm_keys (
  realm TEXT COLLATE "C" NOT NULL,
  kid TEXT COLLATE "C" NOT NULL,
  key_use TEXT COLLATE "C" NOT NULL,
  algorithm TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  priority BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  material TEXT NOT NULL,
  PRIMARY KEY (realm, kid)
);

-- An offline session has the id of the login that it was begun from: both are told apart by `offline`, in the keys too.
CREATE TABLE user_sessions (
  realm TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  offline BIGINT NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
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
CREATE INDEX user_sessions_user ON user_sessions (realm, user_id);
CREATE INDEX user_sessions_expiry ON user_sessions (expires_at);

CREATE TABLE client_sessions (
  realm TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  offline BIGINT NOT NULL,
  client_uuid TEXT COLLATE "C" NOT NULL,
  started_at BIGINT NOT NULL,
  last_refresh BIGINT NOT NULL,
  scope TEXT NOT NULL,
  notes TEXT NOT NULL,
  PRIMARY KEY (realm, session_id, offline, client_uuid)
);
CREATE INDEX client_sessions_client ON client_sessions (realm, client_uuid);

-- No index on the expiry: it changes with every rotation, and a family goes with its session.
CREATE TABLE families (
  realm TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  offline BIGINT NOT NULL DEFAULT 0,
  client_uuid TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  -- JSON array of token hashes.
  pending TEXT COLLATE "C" NOT NULL,
  used TEXT COLLATE "C",
  uses BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (realm, id)
);
CREATE INDEX families_session ON families (realm, session_id);
CREATE INDEX families_user ON families (realm, user_id);

CREATE TABLE tickets (
  realm TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  key_hash TEXT COLLATE "C" NOT NULL,
  payload TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  redeemed_at BIGINT,
  PRIMARY KEY (realm, kind, key_hash)
);
CREATE INDEX tickets_expiry ON tickets (expires_at);

CREATE TABLE marks (
  realm TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  key_hash TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (realm, kind, key_hash)
);
CREATE INDEX marks_expiry ON marks (expires_at);

CREATE TABLE counters (
  realm TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  bumps BIGINT NOT NULL,
  first_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (realm, subject)
);
CREATE INDEX counters_expiry ON counters (expires_at);

CREATE TABLE events (
  realm TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  time BIGINT NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  client_id TEXT COLLATE "C",
  user_id TEXT COLLATE "C",
  ip_address TEXT COLLATE "C",
  body TEXT NOT NULL,
  expires_at BIGINT,
  PRIMARY KEY (realm, id)
);
CREATE INDEX events_time ON events (realm, kind, time, id);
CREATE INDEX events_user ON events (realm, user_id, time) WHERE user_id IS NOT NULL;
CREATE INDEX events_expiry ON events (expires_at) WHERE expires_at IS NOT NULL;

-- Key-value pairs of plugins.
CREATE TABLE entries (
  realm TEXT COLLATE "C" NOT NULL,
  namespace TEXT COLLATE "C" NOT NULL,
  entry_key TEXT COLLATE "C" NOT NULL,
  value TEXT NOT NULL,
  expires_at BIGINT,
  PRIMARY KEY (realm, namespace, entry_key)
);
CREATE INDEX entries_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;

-- Action tokens that were issued and may still be used, where their realm keeps account of them. Never the token itself.
CREATE TABLE action_tokens (
  realm TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  type TEXT NOT NULL,
  client_id TEXT,
  issued_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (realm, user_id, id)
);
CREATE INDEX action_tokens_expiry ON action_tokens (expires_at);
