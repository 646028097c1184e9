-- Accounts at identity providers that users are linked to: container is the provider's alias, name the account's id there.
-- One account belongs to one user; where more had it, the first keeps being found by it.
CREATE UNIQUE INDEX user_holdings_identity ON user_holdings (realm, container, name) WHERE kind = 'identity';
INSERT OR IGNORE INTO user_holdings (realm, kind, container, name, user_id)
  SELECT realm, 'identity', json_extract(f.value, '$.identityProvider'), json_extract(f.value, '$.userId'), users.id
    FROM users, json_each(representation, '$.federatedIdentities') f;
