import type { ClientPolicyExecutor } from '../executor.js';

/** Issues lightweight access tokens. As in Keycloak, those of a token exchange follow the client's setting. */
export const useLightweightAccessToken: ClientPolicyExecutor = {
  id: 'use-lightweight-access-token',
  helpText: 'Access tokens are lightweight. Introspection returns their other claims.',
  properties: [],
  requests: [
    ...(['TOKEN_REQUEST', 'TOKEN_REFRESH', 'RESOURCE_OWNER_PASSWORD_CREDENTIALS_REQUEST'] as const),
    ...(['SERVICE_ACCOUNT_TOKEN_REQUEST', 'DEVICE_TOKEN_REQUEST'] as const),
  ],
  request: (_config, { effects }) => effects?.lighten?.(),
};
