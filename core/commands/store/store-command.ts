import type { CommandGroup } from '../command.js';

export const store: CommandGroup = {
  summary: 'Copies the store between SQLite and PostgreSQL, or updates its tables',
  commands: {
    copy: async () => (await import('./store-copy-command.js')).copy,
    migrate: async () => (await import('./store-migrate-command.js')).migrate,
  },
};
