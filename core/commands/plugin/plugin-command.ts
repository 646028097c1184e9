import type { CommandGroup } from '../command.js';

export const plugin: CommandGroup = {
  summary: 'Creates, checks, installs and reloads plugins',
  commands: {
    new: async () => (await import('./new-plugin.js')).newPlugin,
    list: async () => (await import('./list-plugins.js')).list,
    verify: async () => (await import('./verify-plugin.js')).verify,
    add: async () => (await import('./add-plugin.js')).add,
    remove: async () => (await import('./remove-plugin.js')).remove,
    enable: async () => (await import('./enable-plugin.js')).enable,
    disable: async () => (await import('./enable-plugin.js')).disable,
    lock: async () => (await import('./lock-plugins.js')).lock,
    status: async () => (await import('./plugin-update-command.js')).status,
    reload: async () => (await import('./plugin-update-command.js')).reload,
    rollback: async () => (await import('./plugin-update-command.js')).rollback,
    restart: async () => (await import('./plugin-update-command.js')).restart,
  },
};
