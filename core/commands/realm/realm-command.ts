import type { CommandGroup } from '../command.js';

export const realm: CommandGroup = {
  summary: 'Checks, plans, applies and exports realm files',
  commands: {
    check: async () => (await import('./realm-check-command.js')).check,
    plan: async () => (await import('./realm-plan-command.js')).plan,
    apply: async () => (await import('./realm-apply-command.js')).apply,
    export: async () => (await import('./realm-export-command.js')).exportRealmFile,
  },
};
