import type { ClientPolicyExecutor } from '../executor.js';

/** A refresh returns no new refresh token: the client continues with its present one. */
export const suppressRefreshTokenRotation: ClientPolicyExecutor = {
  id: 'suppress-refresh-token-rotation',
  helpText: 'A refresh returns no new refresh token.',
  properties: [],
  requests: ['TOKEN_REFRESH'],
  request: (_config, { effects }) => effects?.withholdRefreshToken?.(),
};
