import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import { LEVEL_CONDITION, levelOfCondition, DEFAULT_LEVEL_MAX_AGE } from '../../realms/flows/flow-levels.js';

const WHOLE = { type: 'integer', minimum: 0, maximum: 999_999_999 } as const;

/**
 * Keycloak's ConditionalLoaAuthenticator. `runFlow` records that a user who passes the flow has reached the level. The
 * levels of a flow must be known before it runs.
 */
export const levelOfAuthentication: ProviderDefinition = provide(Authenticator, {
  id: LEVEL_CONDITION,
  describe: {
    category: 'condition',
    displayName: 'Condition - Level of Authentication',
    helpText: 'Flow is executed only if its level of authentication is requested and not reached yet.',
  },
  settings: {
    type: 'object',
    properties: {
      'loa-condition-level': {
        ...WHOLE,
        title: 'Level of Authentication (LoA)',
        description: 'Level that the user has after this flow: a whole number.',
      },
      'loa-max-age': {
        ...WHOLE,
        title: 'Max Age',
        description: 'How long a session keeps the level, in seconds.',
        default: DEFAULT_LEVEL_MAX_AGE,
      },
    },
  },
  open: () => ({
    create: () => ({
      async isMet({ level: reached, wantedLevel, config }) {
        const { level } = levelOfCondition({ config }) ?? {};
        if (level === undefined || reached === undefined) return true;
        return wantedLevel !== undefined && level <= wantedLevel && reached < level;
      },
    }),
  }),
});
