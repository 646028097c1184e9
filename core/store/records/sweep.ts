import type { Operation } from '../engine/operation.js';

/** Longer deletions would keep other writers waiting. */
export const SWEEP_LIMIT = 200;

const EXPIRED_SESSIONS = 'SELECT s.realm, s.id, s.offline FROM user_sessions s WHERE s.expires_at <= $1';

/**
 * What belongs to an expired session goes before it, so that a session that is left still has what it owns in reach. What somebody
 * else writes meanwhile, such as a claim of the same name, is left out.
 */
const DELETIONS = [
  ...['client_sessions', 'families'].map(
    (table) =>
      `DELETE FROM ${table} WHERE (realm, ${table === 'families' ? 'id' : 'session_id, offline, client_uuid'}) IN ` +
      `(SELECT o.realm, ${table === 'families' ? 'o.id' : 'o.session_id, o.offline, o.client_uuid'} FROM (${EXPIRED_SESSIONS}) e ` +
      `JOIN ${table} o ON o.realm = e.realm AND o.session_id = e.id AND o.offline = e.offline LIMIT $2)`,
  ),
  expired('user_sessions', 'id, offline'),
  expired('tickets', 'kind, key_hash'),
  expired('marks', 'kind, key_hash'),
  expired('counters', 'subject'),
  expired('entries', 'namespace, entry_key'),
  expired('action_tokens', 'user_id, id'),
  expired('events', 'id'),
];

function expired(table: string, key: string): string {
  return (
    `DELETE FROM ${table} WHERE (realm, ${key}) IN ` +
    `(SELECT realm, ${key} FROM ${table} WHERE expires_at <= $1 LIMIT $2)`
  );
}

export const sweepOperations = {
  *sweep(now: number, limit: number): Operation<{ removed: number; more: boolean }> {
    let left = Math.max(1, Math.min(limit, SWEEP_LIMIT));
    let removed = 0;
    for (const sql of DELETIONS) {
      const gone = (yield { answer: 'changed', skipsLocked: true, sql, parameters: [now, left] }) as number;
      removed += gone;
      left -= gone;
      if (left <= 0) return { removed, more: true };
    }
    return { removed, more: false };
  },
};
