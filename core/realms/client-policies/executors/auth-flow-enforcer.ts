import type { ClientPolicyExecutor } from '../executor.js';

const ALIAS = 'auth-flow-alias';
const LEVEL = 'auth-flow-loa';

/** Logins use this flow of the realm. If the flow does not exist, every login fails. */
export const authFlowEnforcer: ClientPolicyExecutor = {
  id: 'auth-flow-enforcer',
  helpText: 'Logins use this authentication flow.',
  properties: [
    {
      name: ALIAS,
      label: 'Auth Flow Alias',
      type: 'String',
      helpText: 'Alias of the flow. If it is empty, logins use the flow of the client or the realm.',
    },
    {
      name: LEVEL,
      label: 'Auth Flow Loa',
      type: 'Integer',
      defaultValue: 1,
      helpText: 'Level of authentication of a login that has passed the flow.',
    },
  ],
  requests: ['AUTHORIZATION_REQUEST'],
  request({ [ALIAS]: alias, [LEVEL]: level }, { effects }) {
    if (typeof alias !== 'string' || alias === '') return;
    effects?.chooseFlow?.(alias, typeof level === 'number' ? level : undefined);
  },
};
