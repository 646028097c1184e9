import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';

/**
 * Keycloak's ConditionalSubFlowExecutedAuthenticator. A sub-flow that does not exist, or has not succeeded, counts as
 * not executed.
 */
export const subFlowExecuted: ProviderDefinition = provide(Authenticator, {
  id: 'conditional-sub-flow-executed',
  describe: {
    category: 'condition',
    displayName: 'Condition - sub-flow executed',
    helpText: 'Condition to evaluate if a sub-flow was executed successfully during the authentication process',
  },
  settings: {
    type: 'object',
    properties: {
      flow_to_check: { type: 'string', title: 'Flow name', description: 'Alias of the sub-flow.' },
      check_result: {
        type: 'string',
        title: 'Check result',
        description: 'The condition is met if the login has passed the sub-flow (executed), or has not (not-executed).',
        enum: ['executed', 'not-executed'],
        default: 'executed',
      },
    },
    required: ['flow_to_check', 'check_result'],
  },
  open: () => ({
    create: () => ({
      isMet: async ({ executedFlows, config: { flow_to_check: alias = '', check_result: result } }) =>
        executedFlows.includes(alias) !== (result === 'not-executed'),
    }),
  }),
});
