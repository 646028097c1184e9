import type { HealthCheck } from '../http/management.js';
import type { OwnerCommands } from '../http/owner-endpoints.js';
import type { PluginCommands } from '../registry/updates/plugin-commands.js';

/** Whether a host can serve requests, and which of its plugins work. */
export interface HostHealth {
  /** The host is ready if all are up. */
  readonly checks: readonly HealthCheck[];
  /** A plugin that is down does not affect readiness, because other realms do not need it. */
  readonly plugins: readonly { readonly module: string; readonly isUp: boolean }[];
}

/** The operations of the management port, of one process or of several workers together. */
export interface Operations {
  /** False until everything listens. */
  readonly isStarted: boolean;
  health(): Promise<HostHealth>;
  /** Text format of Prometheus. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** The state of each realm file. @param withValues include the values of problems and edits, which may be secret */
  realms(withValues: boolean): Promise<readonly object[]>;
  /** Updates of plugins, on this host or on all nodes. */
  readonly plugins: PluginCommands;
  /** Commands of the data directory's owner. */
  readonly owner: OwnerCommands;
}
