import { type Operation, runAll } from '../engine/operation.js';
import type { SweepPlace } from '../store.js';

/** Longer deletions would keep other writers waiting. */
export const MOST_SWEPT = 1000;
/** The default number of rows. */
export const SWEPT_AT_ONCE = 200;
/** Sessions whose belongings one statement removes: always as many, so that there is one text to prepare. */
const SESSIONS_TOGETHER = 50;

interface Expired {
  readonly expires_at: number;
}

interface ExpiredSession extends Expired {
  readonly realm: string;
  readonly id: string;
  readonly offline: number;
}

/** Rows that one step has removed. */
interface Swept {
  readonly removed: number;
  /** When the last of those that it looked at expired; undefined: it has seen all that has expired. */
  readonly reached: number | undefined;
}

type Step = (now: number, from: number, limit: number) => Operation<Swept>;

/*
 * Each statement continues along the index where the previous one ended. Entries of removed rows stay in the index
 * until the database has cleaned up, and starting over would read them each time. Rows that another transaction is
 * writing, such as a claim of the same name, are left for the next round.
 */
const EXPIRED = 'WHERE expires_at >= $1 AND expires_at <= $2 ORDER BY expires_at LIMIT $3';

/**
 * Removes sessions, each with everything that belongs to it. It locks them first, as all operations do that remove
 * something from sessions.
 */
function* sessions(now: number, from: number, limit: number): Operation<Swept> {
  const asked = Math.ceil(limit / 3);
  const found = (yield {
    answer: 'rows',
    skipsLocked: true,
    sql: `SELECT realm, id, offline, expires_at FROM user_sessions ${EXPIRED}`,
    parameters: [from, now, asked],
  }) as ExpiredSession[];
  const deletions = [];
  for (let first = 0; first < found.length; first += SESSIONS_TOGETHER) {
    const some = found.slice(first, first + SESSIONS_TOGETHER);
    const keys = Array.from({ length: SESSIONS_TOGETHER }, (_, index) => some[index] ?? (some[0] as ExpiredSession));
    const parameters = keys.flatMap(({ realm, id, offline }) => [realm, id, offline]);
    deletions.push(...DELETE_SESSIONS.map((sql) => [sql, ...parameters] as const));
  }
  const removed = (yield* runAll(deletions)).reduce((sum, count) => sum + count, 0);
  return { removed, reached: reached(found, asked) };
}

const SESSION_KEYS = Array.from({ length: SESSIONS_TOGETHER }, (_, index) => {
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

function rows(table: string, key: string): Step {
  const sql =
    `DELETE FROM ${table} WHERE (realm, ${key}) IN (SELECT realm, ${key} FROM ${table} ${EXPIRED}) ` +
    'RETURNING expires_at';
  return function* sweepRows(now, from, limit) {
    const gone = (yield { answer: 'rows', skipsLocked: true, sql, parameters: [from, now, limit] }) as Expired[];
    return { removed: gone.length, reached: reached(gone, limit) };
  };
}

function reached(found: readonly Expired[], asked: number): number | undefined {
  if (found.length < asked) return undefined;
  return found.reduce((last, { expires_at }) => Math.max(last, expires_at), Number.NEGATIVE_INFINITY);
}

/** Tables with an index along `expires_at`, in the order in which they are swept. */
const STEPS: readonly Step[] = [
  sessions,
  rows('tickets', 'kind, key_hash'),
  rows('marks', 'kind, key_hash'),
  rows('counters', 'subject'),
  rows('entries', 'namespace, entry_key'),
  rows('action_tokens', 'user_id, id'),
  rows('events', 'id'),
  rows('event_outbox', 'position, id'),
  rows('event_counts', 'hour, type, client_id, about'),
  rows('active_users', 'day'),
];

export const sweepOperations = {
  *sweep(
    now: number,
    limit: number,
    { table, expiresAt }: SweepPlace,
  ): Operation<{ removed: number; rest: SweepPlace | undefined }> {
    const most = Math.max(1, Math.min(limit, MOST_SWEPT));
    let removed = 0;
    let from = expiresAt;
    for (const [index, step] of STEPS.slice(table).entries()) {
      const swept = yield* step(now, from, most - removed);
      removed += swept.removed;
      if (swept.reached !== undefined) {
        return { removed, rest: { table: table + index, expiresAt: swept.reached } };
      }
      if (removed >= most) return { removed, rest: { table: table + index + 1, expiresAt: 0 } };
      from = 0;
    }
    return { removed, rest: undefined };
  },
};
