import { ClientRegistrationPolicy, type JsonObject, type ProviderDefinition, provide } from '@keyhost/spi';
import { isEnabled, valuesOf } from './policy-config.js';

const ALLOWED = 'allowed-client-scopes';
const DEFAULTS = 'allow-default-scopes';
const MEMBERS = ['defaultClientScopes', 'optionalClientScopes'] as const;

/** Limits the client scopes of registered clients. Scopes that a client already has may stay. */
export const allowedClientTemplates: ProviderDefinition = provide(ClientRegistrationPolicy, {
  id: 'allowed-client-templates',
  describe: {
    displayName: 'Allowed Client Scopes',
    helpText: 'Client scopes that registered clients can have.',
  },
  settings: {
    type: 'object',
    properties: {
      [ALLOWED]: {
        type: 'array',
        items: { type: 'string', format: 'client-scope' },
        title: 'allowed-client-scopes.label',
        description: 'allowed-client-scopes.tooltip',
      },
      [DEFAULTS]: {
        type: 'boolean',
        title: 'allow-default-scopes.label',
        description: 'allow-default-scopes.tooltip',
        default: true,
      },
    },
  },
  open: () => ({
    create: () => {
      const evaluate: PolicyHook = async ({ config, client, before = {}, realm }) => {
        const defaultScopes = isEnabled(config, DEFAULTS)
          ? [...realm.defaultClientScopes, ...realm.optionalClientScopes]
          : [];
        const allowedScopes = [...valuesOf(config, ALLOWED), ...defaultScopes];
        const isAllowed = MEMBERS.every((member) => {
          const previousNames = namesOf(before, member);
          return namesOf(client, member).every((name) => allowedScopes.includes(name) || previousNames.includes(name));
        });
        return isAllowed ? undefined : { refuse: 'Not permitted to use specified clientScope' };
      };
      return { beforeRegister: evaluate, beforeUpdate: evaluate };
    },
  }),
});

type PolicyHook = import('@keyhost/spi').ClientRegistrationPolicyProvider['beforeRegister'];

function namesOf(client: JsonObject, member: (typeof MEMBERS)[number]): string[] {
  return [client[member] ?? []].flat().map(String);
}
