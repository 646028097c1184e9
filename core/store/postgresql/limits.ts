/** Timeouts in milliseconds. The server ends statements that take longer; a watch in this process handles the rest. */
export const LIMITS = {
  /** Until a connection is ready. */
  connect: 5_000,
  /** One statement. */
  statement: 30_000,
  /** One statement of an operation on whole tables: a realm is written or removed. */
  longStatement: 600_000,
  /** Until a row is free that others have locked. */
  lock: 5_000,
  /** Until a statement of a migration has its table; it is tried again then. */
  migrationLock: 1_000,
  /** A transaction whose host has stopped sending. */
  idleInTransaction: 20_000,
  /** Additional time for an answer, after the statement's own limit: the network may be down. */
  answer: 5_000,
  /** Silence of a server after which another connection checks whether it responds at all. */
  silence: 5_000,
  /** A good-bye. */
  end: 2_000,
  /** Until a connection of the pool is free. */
  turn: 5_000,
  /** Between attempts to reach an unreachable server. */
  retry: 250,
} as const;
