import type { PluginsStatus, UpdateResult } from './update-report.js';

/** What an operator asks of a host's plugins: of this host, or of all nodes. Modules are named as plugins.json names them. */
export interface PluginCommands {
  /** With what lies in the providers folder beside what runs, and the nodes where there are several. */
  look(): Promise<PluginsStatus>;
  /** @throws BootError when nothing was changed */
  reload(module?: string): Promise<UpdateResult>;
  /** @throws BootError when nothing was changed */
  rollback(module?: string): Promise<UpdateResult>;
  /** A fresh worker takes the place of the plugin's. @throws BootError `plugin_missing`, `plugin_restart` */
  restart(module: string): Promise<UpdateResult>;
}
