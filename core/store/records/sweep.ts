import { type Operation, runAll } from '../engine/operation.js';
import type { SweepPosition } from '../store.js';

/** Maximum number of rows to delete at a time, because longer deletions delay other writers. */
export const MAX_SWEPT_ROWS = 1000;
/** Default number of rows to delete at a time. */
export const DEFAULT_SWEPT_ROWS = 200;
/**
 * Number of sessions whose rows one statement deletes. It is always the same, so that the statement is prepared only
 * once.
 */
const SESSIONS_PER_STATEMENT = 50;

interface Expired {
  readonly expires_at: number;
}

interface ExpiredSession extends Expired {
  readonly realm: string;
  readonly id: string;
  readonly offline: number;
}

/** The result of one step. */
interface StepResult {
  readonly removed: number;
  /** When the last row that the step has checked expired; undefined if it has checked all expired rows. */
  readonly lastExpiresAt: number | undefined;
}

type SweepStep = (now: number, from: number, limit: number) => Operation<StepResult>;

/*
 * Each statement continues along the index where the previous one ended. Index entries of deleted rows remain until the
 * database has cleaned up, and starting over would read them each time. Rows that another transaction is writing, such
 * as a claim of the same name, are left for the next round.
 */
const EXPIRED = 'WHERE expires_at >= $1 AND expires_at <= $2 ORDER BY expires_at LIMIT $3';

/**
 * Removes sessions, each with everything that belongs to it. They are locked first, as in all operations that remove
 * something from sessions.
 */
function* sweepSessions(now: number, from: number, limit: number): Operation<StepResult> {
  const sessionLimit = Math.ceil(limit / 3);
  const expired = (yield {
    answer: 'rows',
    skipsLocked: true,
    sql: `SELECT realm, id, offline, expires_at FROM user_sessions ${EXPIRED}`,
    parameters: [from, now, sessionLimit],
  }) as ExpiredSession[];
  const deletions = [];
  for (let first = 0; first < expired.length; first += SESSIONS_PER_STATEMENT) {
    const batch = expired.slice(first, first + SESSIONS_PER_STATEMENT);
    const keys = Array.from(
      { length: SESSIONS_PER_STATEMENT },
      (_, index) => batch[index] ?? (batch[0] as ExpiredSession),
    );
    const parameters = keys.flatMap(({ realm, id, offline }) => [realm, id, offline]);
    deletions.push(...DELETE_SESSIONS.map((sql) => [sql, ...parameters] as const));
  }
  const removed = (yield* runAll(deletions)).reduce((sum, count) => sum + count, 0);
  return { removed, lastExpiresAt: lastExpiry(expired, sessionLimit) };
}

const SESSION_KEYS = Array.from({ length: SESSIONS_PER_STATEMENT }, (_, index) => {
  const [realm, id, offline] = [1, 2, 3].map((column) => `$${3 * index + column}`);
  return `(CAST(${realm} AS TEXT), CAST(${id} AS TEXT), CAST(${offline} AS BIGINT))`;
}).join(', ');

const DELETE_SESSIONS = (
  [
    ['families', 'session_id'],
    ['client_sessions', 'session_id'],
    ['user_sessions', 'id'],
  ] as const
).map(([table, id]) => `DELETE FROM ${table} WHERE (realm, ${id}, offline) IN (VALUES ${SESSION_KEYS})`);

function sweepTable(table: string, key: string): SweepStep {
  const sql =
    `DELETE FROM ${table} WHERE (realm, ${key}) IN (SELECT realm, ${key} FROM ${table} ${EXPIRED}) ` +
    'RETURNING expires_at';
  return function* sweepRows(now, from, limit) {
    const deleted = (yield { answer: 'rows', skipsLocked: true, sql, parameters: [from, now, limit] }) as Expired[];
    return { removed: deleted.length, lastExpiresAt: lastExpiry(deleted, limit) };
  };
}

function lastExpiry(expired: readonly Expired[], limit: number): number | undefined {
  if (expired.length < limit) return undefined;
  return expired.reduce((last, { expires_at }) => Math.max(last, expires_at), Number.NEGATIVE_INFINITY);
}

/** Tables with an index on `expires_at`, in the order in which they are swept. */
const STEPS: readonly SweepStep[] = [
  sweepSessions,
  sweepTable('tickets', 'kind, key_hash'),
  sweepTable('marks', 'kind, key_hash'),
  sweepTable('counters', 'subject'),
  sweepTable('entries', 'namespace, entry_key'),
  sweepTable('action_tokens', 'user_id, id'),
  sweepTable('events', 'id'),
  sweepTable('event_outbox', 'position, id'),
  sweepTable('event_counts', 'hour, type, client_id, about'),
  sweepTable('active_users', 'day'),
];

export const sweepOperations = {
  *sweep(
    now: number,
    limit: number,
    { table, expiresAt }: SweepPosition,
  ): Operation<{ removed: number; rest: SweepPosition | undefined }> {
    const maxRows = Math.max(1, Math.min(limit, MAX_SWEPT_ROWS));
    let removed = 0;
    let from = expiresAt;
    for (const [index, step] of STEPS.slice(table).entries()) {
      const swept = yield* step(now, from, maxRows - removed);
      removed += swept.removed;
      if (swept.lastExpiresAt !== undefined) {
        return { removed, rest: { table: table + index, expiresAt: swept.lastExpiresAt } };
      }
      if (removed >= maxRows) return { removed, rest: { table: table + index + 1, expiresAt: 0 } };
      from = 0;
    }
    return { removed, rest: undefined };
  },
};
