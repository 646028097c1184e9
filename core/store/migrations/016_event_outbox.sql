-- Events that wait until the event store of a plugin has taken them, in the order of their positions. One that was written
-- twice is there twice: whoever takes it knows it by its id.
CREATE TABLE event_outbox (
  realm TEXT NOT NULL,
  position BIGINT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  expires_at BIGINT,
  PRIMARY KEY (realm, position, id)
);
