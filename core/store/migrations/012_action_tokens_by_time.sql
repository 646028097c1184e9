-- The action tokens of a realm that are out, newest first: all of them, those of a user, of a client, and of a type.
CREATE INDEX IF NOT EXISTS action_tokens_by_time ON action_tokens (realm, issued_at, id);
CREATE INDEX IF NOT EXISTS action_tokens_by_user ON action_tokens (realm, user_id, issued_at, id);
CREATE INDEX IF NOT EXISTS action_tokens_by_client ON action_tokens (realm, client_id, issued_at, id);
CREATE INDEX IF NOT EXISTS action_tokens_by_type ON action_tokens (realm, type, issued_at, id);
