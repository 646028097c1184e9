import type { ProcessExit } from '../../host/process-exit.js';
import type { CommandGroup } from '../command.js';

/** @param exit ends the process on a signal */
export function clientCommands(exit: ProcessExit): CommandGroup {
  return {
    summary: 'Connects apps: creates their clients',
    commands: { create: async () => (await import('./client-create-command.js')).clientCreateCommand(exit) },
  };
}
