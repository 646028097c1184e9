import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import { DEFAULT_LEVEL_MAX_AGE, LEVEL_CONDITION, levelOfCondition } from '../../realms/flows/flow-levels.js';

const WHOLE_NUMBER = { type: 'integer', minimum: 0, maximum: 999_999_999 } as const;

/**
 * Keycloak's ConditionalLoaAuthenticator: runs its flow if its level is requested but not reached. It also does if the
 * login has reached no level yet. `runFlow` records the level of a user who passes the flow. The levels of a flow must
 * be known before it runs, so `levelsOf` reads the configuration directly.
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
        ...WHOLE_NUMBER,
        title: 'Level of Authentication (LoA)',
        description: 'Level that the user has after this flow: a whole number.',
      },
      'loa-max-age': {
        ...WHOLE_NUMBER,
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
