/**
 * A step with this ID sends the browser to https://there.test. It succeeds, for the user whose name is returned, if the
 * code is `right`. For any other code it shows a page with the returned parameters.
 */
export const redirectingStep = (id: string) => `import { Authenticator, provide } from '@keyhost/spi';
const proves = { displayName: 'Elsewhere', helpText: '', proves: true };
const away = ({ returnTo }, kept) => ({ outcome: 'redirect', state: kept,
  to: 'https://there.test/?' + new URLSearchParams({ back: returnTo?.url ?? '', state: returnTo?.state ?? '' }) });
const page = (message) => ({ outcome: 'challenge', message: { key: message }, page: { page: 'form', title: { key: 'Once more' }, fields: [], submit: { key: 'doContinue' } } });
const step = (users) => ({
  authenticate: async (context) => away(context, 'kept by ' + context.client.clientId),
  action: async (context) => away(context, 'kept again'),
  returned: async ({ state }, { code, username, ...others }) => {
    if (code !== 'right') return page('came with ' + JSON.stringify({ code, ...others, state }));
    const user = await users.byUsername(username);
    return user ? { outcome: 'success', userId: user.id } : { outcome: 'failure', error: 'user_not_found', message: { key: 'invalidUserMessage' } };
  },
});
export default { name: '${id}', api: 1, providers: [
  provide(Authenticator, { id: '${id}', describe: proves, open: () => ({ create: ({ users }) => step(users) }) }),
] };`;

/** A realm's members for a flow with only these steps, for browsers and for the password grant. */
export const flowWith = (...authenticators: string[]) => ({
  providers: {},
  browserFlow: 'own',
  directGrantFlow: 'own',
  authenticationFlows: [
    {
      alias: 'own',
      providerId: 'basic-flow',
      topLevel: true,
      authenticationExecutions: authenticators.map((authenticator, priority) => ({
        authenticator,
        requirement: 'REQUIRED',
        priority,
      })),
    },
  ],
});
