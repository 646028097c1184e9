-- Events that have expired while they waited, along the way of who sweeps them.
CREATE INDEX IF NOT EXISTS event_outbox_expiry ON event_outbox (expires_at) WHERE expires_at IS NOT NULL;
