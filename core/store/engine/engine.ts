import type { OperationArguments, OperationName, OperationResult } from '../records/operations.js';
import type { TransactionalEventScope } from '../transactional-events.js';
import type { Dialect } from './dialect.js';
import type { Parameter } from './operation.js';

/**
 * The reading side of an engine. It sees all acknowledged writes. It throws or rejects with HostErrors, see `Store`.
 */
export interface Reader {
  readonly dialect: Dialect;
  /** Whether other processes write to the same database. */
  readonly isShared: boolean;
  /**
   * Returns the first row. An engine in this process returns it synchronously, so that a read does not cost a turn of
   * the event loop.
   */
  get<Row>(sql: string, ...parameters: Parameter[]): Row | undefined | Promise<Row | undefined>;
  all<Row>(sql: string, ...parameters: Parameter[]): readonly Row[] | Promise<readonly Row[]>;
}

/** The writing side of an engine. */
export interface Writer {
  /** The events that must be written in the transaction of the caller's next change. */
  readonly transactionalEvents: TransactionalEventScope;
  /** Runs an operation. When it resolves, the result is on disk. It rejects with HostErrors, see `Store`. */
  call<Name extends OperationName>(name: Name, ...parameters: OperationArguments<Name>): Promise<OperationResult<Name>>;
}

/** An engine that reads and writes one database. */
export interface Engine {
  readonly reader: Reader;
  readonly writer: Writer;
  /**
   * Builds a part of the index for user searches, while other requests read and write.
   * @param signal stops waiting for it
   * @returns true if the index is complete; false if this must be called again soon
   */
  indexUsers(signal?: AbortSignal): Promise<boolean>;
  /** Rejects new requests, and resolves when all earlier ones have ended and everything is closed. */
  close(): Promise<void>;
}
