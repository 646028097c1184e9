import type { OperationArguments, OperationName, OperationResult } from '../records/operations.js';
import type { TransactionalEventScope } from '../transactional-events.js';
import type { Dialect } from './dialect.js';
import type { Parameter } from './operation.js';

/** The reading side. It sees all acknowledged writes. Rejections and throws are HostErrors, see `Store`. */
export interface Reader {
  readonly dialect: Dialect;
  /** Whether other processes write to the same database. */
  readonly isShared: boolean;
  /** The first row. An engine in the process answers at once, so that a read costs no turn of the event loop. */
  get<Row>(sql: string, ...parameters: Parameter[]): Row | undefined | Promise<Row | undefined>;
  all<Row>(sql: string, ...parameters: Parameter[]): readonly Row[] | Promise<readonly Row[]>;
}

/** The writing side. */
export interface Writer {
  /** Writes within one of these carry its events. */
  readonly recordings: TransactionalEventScope;
  /** Carries out an operation; what it answers is on disk. Rejections are HostErrors, see `Store`. */
  call<Name extends OperationName>(name: Name, ...parameters: OperationArguments<Name>): Promise<OperationResult<Name>>;
}

/** Reads and writes one database. */
export interface Engine {
  readonly reader: Reader;
  readonly writer: Writer;
  /**
   * Builds the index of user searches, or continues to, while other requests read and write.
   * @param signal stops waiting for it
   * @returns true if nothing is left to do; false: call again soon
   */
  indexUsers(signal?: AbortSignal): Promise<boolean>;
  /** Refuses new requests, and resolves when all earlier ones are answered and nothing is open. */
  close(): Promise<void>;
}
