/** Splits a number of rows by type: a session has a client session and a token family. */
export function partsOf(rows: number): { marks: number; tickets: number; sessions: number } {
  const sessions = Math.floor(rows / 10);
  const tickets = Math.floor((rows * 3) / 10);
  return { sessions, tickets, marks: rows - tickets - 3 * sessions };
}

const REALM = "'rs'";

/**
 * Statements for either engine that insert expired rows, at intervals of one millisecond.
 * @param numbers a table of one column `n`, from 1 to `count`
 * @param now milliseconds since the epoch
 */
export function expiredRows(rows: number, now: number, numbers: (count: number) => string): readonly string[] {
  const { marks, tickets, sessions } = partsOf(rows);
  const expiry = `${now} - 600000 + n % 500000`;
  return [
    `INSERT INTO marks (realm, kind, key_hash, expires_at) SELECT ${REALM}, 'jti', 'expired-' || n, ${expiry} FROM ${numbers(marks)}`,
    'INSERT INTO tickets (realm, kind, key_hash, payload, expires_at) ' +
      `SELECT ${REALM}, 'code', 'expired-' || n, '{"clientId":"web","scope":"openid"}', ${expiry} FROM ${numbers(tickets)}`,
    'INSERT INTO user_sessions (realm, id, offline, user_id, started_at, last_refresh, expires_at, remember_me, auth_method, notes) ' +
      `SELECT ${REALM}, 'expired-' || n, 0, 'nobody', 0, 0, ${expiry}, 0, 'openid-connect', '{}' FROM ${numbers(sessions)}`,
    'INSERT INTO client_sessions (realm, session_id, offline, client_uuid, started_at, last_refresh, scope, notes) ' +
      `SELECT ${REALM}, 'expired-' || n, 0, 'web', 0, 0, 'openid', '{}' FROM ${numbers(sessions)}`,
    'INSERT INTO families (realm, id, session_id, offline, client_uuid, user_id, pending, used, uses, expires_at) ' +
      `SELECT ${REALM}, 'expired-' || n, 'expired-' || n, 0, 'web', 'nobody', '["x"]', NULL, 0, ${expiry} FROM ${numbers(sessions)}`,
  ];
}
