/**
 * A step with this ID asks for a username, issues a link that completes the login, and shows the link's number until
 * the user has followed it. `GET /realms/{realm}/{id}` returns the newest link, which a real plugin would send to the
 * user.
 */
export const linkingStep = (
  id: string,
  needs: Readonly<Record<string, string>> = { 'issue-login-links': 'tries it' },
) =>
  `import { Authenticator, provide, RealmResourceProvider } from '@keyhost/spi';
const form = (title, fields) => ({ outcome: 'challenge', page: { page: 'form', title: { key: title }, fields, submit: { key: 'doContinue' } } });
const name = { name: 'name', type: 'text', label: { key: 'Name' } };
const step = (session) => ({
  authenticate: async ({ followedLink }) => (followedLink ? { outcome: 'success' } : form('Who are you?', [name])),
  action: async ({ followedLink, login, state }, form_) => {
    if (followedLink) return { outcome: 'success' };
    const user = form_.name === undefined ? undefined : await session.users.byUsername(form_.name);
    if (user === undefined) return { ...form('Number ' + state, []), state };
    const issued = await session.loginLinks.issue({ userId: user.id, login: form_.login ?? login });
    await session.store.put('link', issued);
    return { ...form('Number ' + issued.number, []), state: issued.number };
  },
});
export default { name: '${id}', api: 1, needs: ${JSON.stringify(needs)}, providers: [
  provide(Authenticator, { id: '${id}', describe: { displayName: 'Link', helpText: '', proves: true }, open: () => ({ create: step }) }),
  provide(RealmResourceProvider, { id: '${id}', routes: { newest: { method: 'GET', path: '/', authentication: 'none' } },
    open: () => ({ create: ({ store }) => ({ newest: async () => ({ body: await store.get('link') }) }) }) }),
] };`;

/** The rights of this step. */
export const LINKS = { '*': ['issue-login-links'] };
