/**
 * A step with this ID, after the password, records what it can see of it. `GET /realms/{realm}/{id}` returns the
 * record. With `needs` it requests the right to see it. A page follows, so that there is a second call.
 */
export const readingStep = (
  id: string,
  needs: boolean,
) => `import { Authenticator, provide, RealmResourceProvider } from '@keyhost/spi';
const page = { outcome: 'challenge', page: { page: 'form', title: { key: 'Once more' }, fields: [], submit: { key: 'doContinue' } } };
const note = async (session, { typedPassword, form }) => {
  const seen = (await session.store.get('seen')) ?? [];
  await session.store.put('seen', [...seen, [typedPassword ?? null, form?.password ?? null, 'typedPassword' in (form ?? {})]]);
};
const step = (session) => ({
  authenticate: async (context) => (await note(session, context), context.form === undefined ? page : { outcome: 'success' }),
  action: async (context) => (await note(session, context), { outcome: 'success' }),
});
export default { name: '${id}', api: 1, ${needs ? "needs: { 'read-typed-password': 'checks it against a list' }," : ''} providers: [
  provide(Authenticator, { id: '${id}', describe: { displayName: 'Reads', helpText: '' }, open: () => ({ create: step }) }),
  provide(RealmResourceProvider, { id: '${id}', routes: { seen: { method: 'GET', path: '/', authentication: 'none' } },
    open: () => ({ create: ({ store }) => ({ seen: async () => ({ body: (await store.get('seen')) ?? [] }) }) }) }),
] };`;
