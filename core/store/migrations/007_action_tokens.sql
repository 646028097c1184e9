-- Action tokens that were issued and may still be used, where their realm keeps account of them. Never the token itself.
CREATE TABLE action_tokens (
  realm TEXT NOT NULL,
  user_id TEXT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  client_id TEXT,
  issued_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (realm, user_id, id)
) WITHOUT ROWID;
CREATE INDEX action_tokens_expiry ON action_tokens (expires_at);
