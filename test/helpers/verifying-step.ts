/**
 * The source of a plugin without rights. Its step verifies what is typed, for the login's user or for the user whose ID
 * is also typed, and succeeds if it is valid. Its required action does the same, and its mapper verifies a fixed
 * password. `GET /realms/{realm}/{id}` verifies outside of a login. Each error's code is logged.
 */
export const verifyingStep = (
  id: string,
) => `import { Authenticator, ProtocolMapper, provide, RealmResourceProvider, RequiredAction } from '@keyhost/spi';
const page = (more = {}) => ({ outcome: 'challenge', ...more, page: { page: 'form', title: { key: 'Type it' }, submit: { key: 'doContinue' },
  fields: [{ name: 'typed', type: 'password', label: { key: 'Typed' } }] } });
const verdict = async ({ credentials, logger }, whom, typed, type = 'password') => {
  try { return await credentials.verify(whom, { type, value: typed }); }
  catch ({ code, message }) { logger.info('verify failed', { failure: code, reason: message }); return code; }
};
const last = new Map();
const step = (session) => ({
  authenticate: async ({ user }) => (user ? page() : { outcome: 'attempted' }),
  async action({ user }, { typed, whom, type }) {
    last.set(session.realm.name, session);
    const answer = await verdict(session, whom ?? user.id, typed, type);
    if (answer === 'valid') return { outcome: 'success' };
    return page({ error: 'invalid_user_credentials', message: { key: 'It is ' + answer }, userId: user.id });
  },
});
export default { name: '${id}', api: 1, providers: [
  provide(Authenticator, { id: '${id}', describe: { displayName: 'Verifies', helpText: '', proves: true }, open: () => ({ create: step }) }),
  provide(RequiredAction, { id: '${id}-action', displayText: 'Once more', open: () => ({ create: (session) => ({
    challenge: async () => page(),
    async action({ user }, { typed }) {
      const answer = await verdict(session, user.id, typed);
      return answer === 'valid' ? { outcome: 'success' } : page({ message: { key: 'It is ' + answer } });
    } }) }) }),
  provide(ProtocolMapper, { id: '${id}-mapper', open: () => ({ create: (session) => ({
    async map({ user }) {
      return { verified: await verdict(session, user.id, 'Alice-pass-1!') };
    } }) }) }),
  provide(RealmResourceProvider, { id: '${id}', routes: {
      verify: { method: 'GET', path: '/{whom}', authentication: 'none' }, late: { method: 'GET', path: '/{whom}/late', authentication: 'none' } },
    open: () => ({ create: (session) => ({
      verify: async ({ params }) => ({ body: { verdict: await verdict(session, params.whom, 'Alice-pass-1!') } }),
      late: async ({ params }) => ({ body: { verdict: await verdict(last.get(session.realm.name), params.whom, 'Alice-pass-1!') } }),
    }) }) }),
] };`;
