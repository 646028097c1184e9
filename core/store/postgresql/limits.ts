/**
 * Timeouts in milliseconds. The server ends statements that take longer. For a server that does not respond, this
 * process has its own checks.
 */
export const LIMITS = {
  /** For opening a connection. */
  connect: 5_000,
  /** For one statement. */
  statement: 30_000,
  /** For one statement of an operation on whole tables, such as writing or deleting a realm. */
  longStatement: 600_000,
  /** For a row that others have locked. */
  lock: 5_000,
  /** For the lock on a table that a statement of a migration needs. After that, the migration is tried again. */
  migrationLock: 1_000,
  /** For a transaction whose host sends no further statement. */
  idleInTransaction: 20_000,
  /** For an answer, in addition to the statement's own limit, because the network may be down. */
  answer: 5_000,
  /** If the server is silent for this time, another connection checks whether it responds at all. */
  silence: 5_000,
  /** For closing a connection. */
  end: 2_000,
  /** For a free connection of the pool. */
  turn: 5_000,
  /** The pause between attempts to reach an unreachable server. */
  retry: 250,
} as const;
