import type { PluginsStatus, UpdateResult } from './update-report.js';

/** An operator's commands for plugins, on this host or on all nodes. Modules have the names of plugins.json. */
export interface PluginCommands {
  /** Returns the status, with other versions in the providers folder, and the nodes if there are several. */
  look(): Promise<PluginsStatus>;
  /** @throws BootError if nothing was changed */
  reload(module?: string): Promise<UpdateResult>;
  /** @throws BootError if nothing was changed */
  rollback(module?: string): Promise<UpdateResult>;
  /** Replaces the plugin's worker by a new one. @throws BootError `plugin_missing`, `plugin_restart` */
  restart(module: string): Promise<UpdateResult>;
}
