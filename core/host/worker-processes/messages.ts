import type { BootErrorCode } from '../../config/boot-error.js';
import type { Problem } from '../../config/problem.js';
import type { ExistingNames, NamesToCheck } from '../../http/owner-endpoints.js';
import type { PluginsStatus, UpdateResult } from '../../registry/updates/update-report.js';
import type { MetricAsJson } from '../metrics.js';
import type { HostHealth } from '../operations.js';

/** The requests that a worker answers for its parent process. */
export interface WorkerAnswers {
  /** Resolves if the worker's event loop is running. */
  ping(): Promise<true>;
  health(): Promise<HostHealth>;
  metrics(): Promise<readonly MetricAsJson[]>;
  realms(withValues: boolean): Promise<readonly object[]>;
  look(): Promise<PluginsStatus>;
  reload(module: string | undefined): Promise<UpdateResult>;
  rollback(module: string | undefined): Promise<UpdateResult>;
  restart(module: string): Promise<UpdateResult>;
  consoleLogin(shows: string, username: string | undefined): Promise<object>;
  consoleLoginState(id: string): Promise<string>;
  signIns(realm: string, clientId: string): Promise<object>;
  taken(realm: string, names: NamesToCheck): Promise<ExistingNames>;
}

export type RequestName = keyof WorkerAnswers;

/** A BootError, serialised for another process. */
export interface RefusalData {
  readonly code: BootErrorCode;
  readonly message: string;
  readonly plugin: string | undefined;
  readonly problems: readonly Problem[];
  readonly hint: string | undefined;
}

/** The addresses at which a worker listens. */
export interface StartedWorker {
  readonly url: string;
  readonly grpcAddress: string | undefined;
  /** Options that make the other workers listen at the same ports as this one, where it replaced used ports. */
  readonly portArguments: readonly string[];
}

/**
 * A message from the parent. `keyhost` marks the host's own messages, because plugins in the worker's process use the
 * same channel.
 */
export type ToWorker =
  | { readonly keyhost: 'ask'; readonly id: number; readonly question: RequestName; readonly words: readonly unknown[] }
  /** Drain and end the process. */
  | { readonly keyhost: 'stop' };

/** A message to the parent. */
export type FromWorker =
  | { readonly keyhost: 'ready'; readonly started: StartedWorker }
  /** The reason why the worker did not start, for the operator. */
  | { readonly keyhost: 'failed'; readonly report: string }
  | { readonly keyhost: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly keyhost: 'refusal'; readonly id: number; readonly refusal: RefusalData }
  | { readonly keyhost: 'failure'; readonly id: number; readonly reason: string };

/** True if a message is one of the host's own. */
export function isHostMessage<T extends ToWorker | FromWorker>(message: unknown): message is T {
  return typeof message === 'object' && message !== null && 'keyhost' in message;
}
