import type { PluginsStatus, UpdateResult } from './update-report.js';

/**
 * The operator's commands for plugins, on this host or on all nodes. `module` is the name of a plugin in plugins.json.
 */
export interface PluginCommands {
  /**
   * Returns the status, including versions in the providers folder that differ from the running ones, and the nodes if
   * there are several.
   */
  look(): Promise<PluginsStatus>;
  /**
   * Applies the current plugins.json and the current packages in the providers folder.
   * @throws BootError if nothing was changed
   */
  reload(module?: string): Promise<UpdateResult>;
  /**
   * Undoes the last update.
   * @throws BootError if nothing was changed
   */
  rollback(module?: string): Promise<UpdateResult>;
  /**
   * Replaces a plugin's worker by a new one.
   * @throws BootError `plugin_missing`, `plugin_restart`
   */
  restart(module: string): Promise<UpdateResult>;
}
