import { ActionTokenHandler, type AuthenticationStep, Authenticator, provide, type StepPage } from '@keyhost/spi';

type Fields = Extract<StepPage, { readonly page: 'form' }>['fields'];

const page = (text: string, fields: Fields): AuthenticationStep => ({
  outcome: 'challenge',
  page: { page: 'form', title: { key: text }, fields, submit: { key: 'doContinue' } },
});
const name: Fields = [{ name: 'username', type: 'text', label: { key: 'username' } }];
export default {
  name: 'names',
  api: 1,
  providers: [
    provide(Authenticator, {
      id: 'name-first',
      open: () => ({
        create: ({ users }) => ({
          authenticate: async () => page('Who are you?', name),
          action: async (_context, { username = '' }) => {
            if (username.endsWith('@partner.test'))
              return { outcome: 'identity-provider', alias: 'partner', loginHint: username };
            const user = await users.byUsername(username.split('@')[0] ?? '');
            return { outcome: 'success', typedUsername: username, ...(user && { userId: user.id }) };
          },
        }),
      }),
    }),
    provide(Authenticator, {
      id: 'link-first',
      describe: { displayName: 'Link', helpText: '', proves: true },
      open: () => ({
        create: ({ users, actionTokens }) => ({
          authenticate: async ({ followedLink }) =>
            followedLink ? { outcome: 'success' } : page('Who are you?', name),
          action: async ({ login }, { username = '', other }) => {
            const user = await users.byUsername(username);
            const { link } = await actionTokens.issue({
              type: 'names-link',
              userId: user?.id ?? '',
              clientId: 'web',
              login: other ?? login,
            });
            return page(link, []);
          },
        }),
      }),
    }),
    provide(ActionTokenHandler, {
      id: 'names-link',
      eventType: 'EXECUTE_ACTION_TOKEN',
      defaultError: 'invalid_request',
      defaultMessage: 'invalidRequestMessage',
      open: () => ({
        create: () => ({
          requiredActions: async () => ({ requiredActions: [], provesUser: true }),
        }),
      }),
    }),
  ],
};
