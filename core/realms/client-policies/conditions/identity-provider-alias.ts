import { type ClientPolicyCondition, NEGATIVE_LOGIC, textList } from '../condition.js';

/**
 * Applies to requests for the stored tokens of an identity provider. Keycloak's condition also votes on the JWT
 * authorization grant, which Keyhost does not have. It does not apply to other requests.
 */
export const identityProviderAlias: ClientPolicyCondition = {
  id: 'identity-provider-alias',
  helpText: 'Applies to requests for the stored tokens of one of these identity providers.',
  properties: [
    {
      name: 'identity_provider_aliases',
      label: 'Identity provider aliases',
      helpText: 'Aliases of identity providers.',
      type: 'IdentityProviderMultiList',
    },
    NEGATIVE_LOGIC,
  ],
  request: (config, { identityProvider }) =>
    identityProvider === undefined
      ? undefined
      : textList(config, 'identity_provider_aliases').includes(identityProvider),
};
