import type { Recordings } from '../recording.js';
import type { OperationArguments, OperationName, OperationResult } from '../records/operations.js';
import type { Dialect } from './dialect.js';
import type { Parameter } from './operation.js';

/** The reading side: sees everything that was acknowledged before. Rejections and throws are HostErrors, see `Store`. */
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
  /** What is called within one of these carries its events. */
  readonly recordings: Recordings;
  /** Carries out an operation; what it answers is on disk. Rejections are HostErrors, see `Store`. */
  call<Name extends OperationName>(name: Name, ...parameters: OperationArguments<Name>): Promise<OperationResult<Name>>;
}

/** What reads and writes one database. */
export interface Engine {
  readonly reader: Reader;
  readonly writer: Writer;
  /**
   * Makes what user searches go by, or goes on with it, while everybody reads and writes.
   * @param signal ends the waiting for it
   * @returns whether nothing is left to do; false: soon again
   */
  indexUsers(signal?: AbortSignal): Promise<boolean>;
  /** Refuses what comes from now on, and resolves when all that was asked for before is answered and nothing is open. */
  close(): Promise<void>;
}
