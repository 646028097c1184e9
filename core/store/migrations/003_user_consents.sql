-- The clients and client scopes that users agreed to.
INSERT OR IGNORE INTO user_holdings (realm, kind, container, name, user_id)
  SELECT realm, 'client', '', json_extract(c.value, '$.clientId'), users.id
    FROM users, json_each(representation, '$.clientConsents') c;
INSERT OR IGNORE INTO user_holdings (realm, kind, container, name, user_id)
  SELECT realm, 'clientScope', '', s.value, users.id
    FROM users, json_each(representation, '$.clientConsents') c, json_each(c.value, '$.grantedClientScopes') s;
