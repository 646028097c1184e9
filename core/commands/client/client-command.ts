import type { CommandGroup } from '../command.js';

export const client: CommandGroup = {
  summary: 'Connects apps: creates their clients',
  commands: { create: async () => (await import('./client-create-command.js')).create },
};
