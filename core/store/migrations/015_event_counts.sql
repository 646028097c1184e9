-- How often user events have happened, hour by hour, and sketches of who has signed in, day by day. Nothing in either names a
-- user. `hour` and `day` are when it began, in milliseconds; `client_id` and `about` are empty where there is nothing to say.
CREATE TABLE event_counts (
  realm TEXT NOT NULL,
  hour BIGINT NOT NULL,
  type TEXT NOT NULL,
  client_id TEXT NOT NULL,
  about TEXT NOT NULL,
  total BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (realm, hour, type, client_id, about)
);
CREATE INDEX event_counts_expiry ON event_counts (expires_at);
CREATE TABLE active_users (
  realm TEXT NOT NULL,
  day BIGINT NOT NULL,
  sketch TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (realm, day)
);
CREATE INDEX active_users_expiry ON active_users (expires_at);
