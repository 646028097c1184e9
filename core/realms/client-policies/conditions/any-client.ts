import { type ClientPolicyCondition, NEGATIVE_LOGIC } from '../condition.js';

export const anyClient: ClientPolicyCondition = {
  id: 'any-client',
  helpText: 'Applies to every client and request.',
  properties: [NEGATIVE_LOGIC],
  request: () => true,
  change: () => true,
};
