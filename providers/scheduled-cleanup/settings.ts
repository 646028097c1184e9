import type { JsonSchema } from '@keyhost/spi';

/** The settings of a realm. */
export interface Settings {
  readonly warnAfter: number;
  readonly disableAfter: number;
  /** Undefined if users are never deleted. */
  readonly deleteAfter?: number;
  readonly dryRun: boolean;
}

const days = (title: string, description: string) =>
  ({ type: 'integer', minimum: 1, maximum: 36_500, title, description }) as const;

export const SETTINGS = {
  type: 'object',
  properties: {
    cron: { type: 'string', title: 'Times', description: 'When users are looked at. Default: 30 2 * * *' },
    warnAfter: days('Warn after', 'Days without a sign-in. Default: 83'),
    disableAfter: days('Disable after', 'Days after the warning. Default: 7'),
    deleteAfter: days('Delete after', 'Days after the user was disabled. Absent: nobody is deleted.'),
    dryRun: { type: 'boolean', title: 'Dry run', description: 'Only report. Default: off' },
  },
  additionalProperties: false,
} as const satisfies JsonSchema;

export function settingsOf(config: Partial<Settings>): Settings {
  return { warnAfter: 83, disableAfter: 7, dryRun: false, ...config };
}
