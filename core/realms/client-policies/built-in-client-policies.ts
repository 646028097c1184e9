import { ClientPolicyCondition, ClientPolicyExecutor, type Plugin, provide } from '@keyhost/spi';
import { REQUEST_EVENTS } from './client-policy-events.js';
import { NEGATIVE_LOGIC } from './condition.js';
import { CONDITIONS } from './conditions.js';
import { EXECUTORS } from './executors.js';
import { configSchema } from './property.js';

const CHANGES = ['REGISTER', 'UPDATE'] as const;

/**
 * The built-in conditions and executors, for lists that also contain those of plugins. `ClientPolicies` evaluates them
 * itself, synchronously.
 */
export const builtInClientPolicies: Plugin = {
  name: 'keyhost-client-policies',
  api: 1,
  providers: [
    ...CONDITIONS.map(({ id, helpText, properties, request, change }) =>
      provide(ClientPolicyCondition, {
        id,
        describe: { displayName: id, helpText },
        settings: configSchema(properties.filter((property) => property !== NEGATIVE_LOGIC)),
        events: [...(change ? CHANGES : []), ...(request ? REQUEST_EVENTS : [])],
        open: () => ({ create: () => ({ vote: throwNotCalled }) }),
      }),
    ),
    ...EXECUTORS.map(({ id, helpText, properties, requests = [], change }) =>
      provide(ClientPolicyExecutor, {
        id,
        describe: { displayName: id, helpText },
        settings: configSchema(properties),
        events: [...(change ? CHANGES : []), ...requests],
        open: () => ({ create: () => ({ apply: throwNotCalled }) }),
      }),
    ),
  ],
};

async function throwNotCalled(): Promise<never> {
  throw new Error('Keyhost carries its own conditions and executors out without a provider');
}
