import { type ClientPolicyCondition, NEGATIVE_LOGIC } from '../condition.js';

export const anyClient: ClientPolicyCondition = {
  id: 'any-client',
  helpText: 'Every client, whatever it does.',
  properties: [NEGATIVE_LOGIC],
  request: () => true,
  change: () => true,
};
