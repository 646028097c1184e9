import { type AuthenticationStep, Authenticator, provide } from '@keyhost/spi';

/** Wrong answers of the condition. */
const answers: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  odd: () => 'true',
  throw: () => {
    throw new Error('of the plugin');
  },
  hang: () => new Promise(() => {}),
};
const ask: AuthenticationStep = {
  outcome: 'challenge',
  page: { page: 'form', title: { key: 'More' }, fields: [], submit: { key: 'doSubmit' } },
};
export default {
  name: 'some',
  api: 1,
  providers: [
    provide(Authenticator, {
      id: 'user-of',
      describe: { category: 'condition', displayName: 'Condition - user of' },
      settings: { type: 'object', properties: { users: { type: 'array', items: { type: 'string' } } } },
      open: () => ({
        create: () => ({
          isMet: async ({ user, config, scopes, credentialTypes, executions }) =>
            config.answer !== undefined
              ? (answers[config.answer]?.() as boolean)
              : (config.users ?? '').split('##').includes(user?.username ?? '') &&
                scopes.includes('profile') &&
                credentialTypes.includes('password') &&
                executions.map(({ authenticator }) => authenticator).join() === 'user-of,more' &&
                executions.every((entry) => !('config' in entry)),
        }),
      }),
    }),
    provide(Authenticator, {
      id: 'more',
      open: () => ({ create: () => ({ authenticate: async () => ask, action: async () => ({ outcome: 'success' }) }) }),
    }),
  ],
};
