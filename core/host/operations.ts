import type { HealthCheck } from '../http/management.js';
import type { OwnerCommands } from '../http/owner-endpoints.js';
import type { PluginCommands } from '../registry/updates/plugin-commands.js';

/** Whether a host can serve requests, and which of its plugins serve. */
export interface HostHealth {
  /** The host is ready when all are well. */
  readonly checks: readonly HealthCheck[];
  /** One that does not serve leaves the host ready: the others' realms need it. */
  readonly plugins: readonly { readonly module: string; readonly isUp: boolean }[];
}

/** What operators are told of a host, and can have done there: by one process, or by several that serve together. */
export interface Operations {
  /** False until all listens that serves. */
  readonly isStarted: boolean;
  health(): Promise<HostHealth>;
  /** Prometheus text. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** The state of each realm file. @param withValues what is wrong or edited with its values; else where it is alone */
  realms(withValues: boolean): Promise<readonly object[]>;
  /** Updates of plugins: on this host, or on all nodes. */
  readonly plugins: PluginCommands;
  /** What the owner of the data directory asks for. */
  readonly owner: OwnerCommands;
}
