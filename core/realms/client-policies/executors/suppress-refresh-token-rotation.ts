import type { ClientPolicyExecutor } from '../executor.js';

/** A refresh brings no other refresh token: the client goes on with the one that it has. */
export const suppressRefreshTokenRotation: ClientPolicyExecutor = {
  id: 'suppress-refresh-token-rotation',
  helpText: 'A refresh returns no new refresh token.',
  properties: [],
  requests: ['TOKEN_REFRESH'],
  request: (_config, { effects }) => effects?.withholdRefreshToken?.(),
};
