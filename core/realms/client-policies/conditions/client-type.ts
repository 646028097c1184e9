import { type ClientPolicyCondition, NEGATIVE_LOGIC } from '../condition.js';

const OIDC = 'openid-connect';

/** Clients of a protocol. */
export const clientType: ClientPolicyCondition = {
  id: 'client-type',
  helpText: 'Clients of a protocol.',
  properties: [
    NEGATIVE_LOGIC,
    {
      name: 'protocol',
      label: 'Client protocol',
      type: 'List',
      defaultValue: 'saml',
      options: ['saml', OIDC],
      helpText: 'The protocol that the client logs users in by.',
    },
  ],
  request: ({ protocol }, { client }) => protocol === client.protocol,
  change: ({ protocol }, { client, before }) =>
    [client, ...(before === undefined ? [] : [before])].some((one) => (one.protocol ?? OIDC) === protocol),
};
