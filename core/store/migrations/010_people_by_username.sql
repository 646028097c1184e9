-- Users that are no service accounts, in the order in which they are listed: whoever turns to a late page counts past the others
-- without looking at their rows.
CREATE INDEX users_people ON users (realm, username) WHERE COALESCE(service_account_client, '') = '';
