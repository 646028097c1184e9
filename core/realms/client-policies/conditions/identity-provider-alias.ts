import { type ClientPolicyCondition, NEGATIVE_LOGIC } from '../condition.js';

/**
 * Grants with a token of an identity provider, such as the JWT authorization grant: Keyhost has none, and so it has no say, as
 * Keycloak's has none in other requests.
 */
export const identityProviderAlias: ClientPolicyCondition = {
  id: 'identity-provider-alias',
  helpText:
    'Applies to grants with a token of one of these identity providers. Keyhost has no such grants: the condition has no effect.',
  properties: [
    {
      name: 'identity_provider_aliases',
      label: 'Identity provider aliases',
      helpText: 'Aliases of identity providers.',
      type: 'IdentityProviderMultiList',
    },
    NEGATIVE_LOGIC,
  ],
};
