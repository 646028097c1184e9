import type { ProcessExit } from '../host/process-exit.js';
import type { CommandGroup } from './command.js';

/** All commands. @param exit ends the process of a server */
export function allCommands(exit: ProcessExit): CommandGroup {
  return {
    summary: 'Keyhost is an OpenID Connect and OAuth 2.0 server that is compatible with Keycloak',
    commands: {
      init: async () => (await import('./init/init-command.js')).init,
      'start-dev': async () => (await import('./start/start-command.js')).startDevCommand(exit),
      start: async () => (await import('./start/start-command.js')).startCommand(exit),
      client: async () => (await import('./client/client-command.js')).clientCommands(exit),
      token: async () => (await import('./token/token-command.js')).token,
      console: async () => (await import('./console/console-command.js')).consoleCommand(exit),
      doctor: async () => (await import('./doctor/doctor-command.js')).doctor,
      realm: async () => (await import('./realm/realm-command.js')).realm,
      plugin: async () => (await import('./plugin/plugin-command.js')).plugin,
      keys: async () => (await import('./keys/keys-command.js')).keys,
      'bootstrap-admin': async () => (await import('./bootstrap-admin/bootstrap-admin-command.js')).bootstrapAdmin,
      backup: async () => (await import('./backup/backup-command.js')).backup,
      restore: async () => (await import('./backup/restore-command.js')).restore,
      store: async () => (await import('./store/store-command.js')).store,
      schema: async () => (await import('./schema/schema-command.js')).schema,
      stack: async () => (await import('./stack/stack-command.js')).stack,
    },
  };
}
