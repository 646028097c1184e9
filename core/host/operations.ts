import type { HealthCheck } from '../http/management.js';
import type { OwnerCommands } from '../http/owner-endpoints.js';
import type { PluginCommands } from '../registry/updates/plugin-commands.js';

/** The results of the health checks, and the states of the plugins. */
export interface HostHealth {
  /** The host is ready if all checks are up. */
  readonly checks: readonly HealthCheck[];
  /** A plugin that is down does not affect readiness, because most realms may not use it. */
  readonly plugins: readonly { readonly module: string; readonly isUp: boolean }[];
}

/** The operations of the management port, for one process or for several workers together. */
export interface Operations {
  /** False until the host serves requests. */
  readonly isStarted: boolean;
  health(): Promise<HostHealth>;
  /** Returns the metrics in the text format of Prometheus. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
  /**
   * Returns the state of each realm file.
   * @param withValues true to include the values in problems and edits, which may be secret
   */
  realms(withValues: boolean): Promise<readonly object[]>;
  /** The commands for updating plugins, on this host or on all nodes. */
  readonly plugins: PluginCommands;
  /** The commands that the owner of the data directory may run. */
  readonly owner: OwnerCommands;
}
