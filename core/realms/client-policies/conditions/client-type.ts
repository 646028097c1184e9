import { type ClientPolicyCondition, NEGATIVE_LOGIC } from '../condition.js';

const OIDC = 'openid-connect';

/** Applies to clients of one protocol. */
export const clientType: ClientPolicyCondition = {
  id: 'client-type',
  helpText: 'Applies to clients of one protocol.',
  properties: [
    NEGATIVE_LOGIC,
    {
      name: 'protocol',
      label: 'Client protocol',
      type: 'List',
      defaultValue: 'saml',
      options: ['saml', OIDC],
      helpText: 'Protocol of the client.',
    },
  ],
  request: ({ protocol }, { client }) => protocol === client.protocol,
  change: ({ protocol }, { client, before }) =>
    [client, ...(before === undefined ? [] : [before])].some((one) => (one.protocol ?? OIDC) === protocol),
};
