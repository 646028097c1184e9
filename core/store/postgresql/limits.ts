/** How long things may take, in milliseconds. The server ends what takes longer; a watch here, what the server does not end. */
export const LIMITS = {
  /** Until a connection is ready. */
  connect: 5_000,
  /** One statement. */
  statement: 30_000,
  /** One statement of an operation that goes through whole tables: a realm is written or removed. */
  longStatement: 600_000,
  /** Until a row is free that others have locked. */
  lock: 5_000,
  /** Until a statement of a migration has its table; it is tried again then. */
  migrationLock: 1_000,
  /** A transaction whose host says nothing any more. */
  idleInTransaction: 20_000,
  /** How much longer than a statement may take an answer is waited for: the network may be gone. */
  answer: 5_000,
  /** A server that has said nothing for so long is asked by another connection whether it is there at all. */
  silence: 5_000,
  /** A good-bye. */
  end: 2_000,
  /** Until a connection of the pool is free. */
  turn: 5_000,
  /** Between attempts to reach a server that is away. */
  retry: 250,
} as const;
