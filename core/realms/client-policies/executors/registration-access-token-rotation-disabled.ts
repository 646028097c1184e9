import type { ClientPolicyExecutor } from '../executor.js';

/** A client that changes its own registration keeps the token that it did so with. */
export const registrationAccessTokenRotationDisabled: ClientPolicyExecutor = {
  id: 'registration-access-token-rotation-disabled',
  helpText: 'The registration access token of a client stays valid when the client updates its registration.',
  properties: [],
  change: (_config, { keepRegistrationToken }) => keepRegistrationToken?.(),
};
