import type { ClientPolicyExecutor } from '../executor.js';

/** The registration access token stays valid when a client changes its own registration. */
export const registrationAccessTokenRotationDisabled: ClientPolicyExecutor = {
  id: 'registration-access-token-rotation-disabled',
  helpText: 'The registration access token of a client stays valid when the client updates its registration.',
  properties: [],
  change: (_config, { keepRegistrationToken }) => keepRegistrationToken?.(),
};
