/**
 * A step with this ID waits until `POST /realms/{realm}/{id}` reports alice's confirmation. Its page polls every two
 * seconds.
 */
export const pollingStep = (
  id: string,
) => `import { Authenticator, provide, RealmResourceProvider } from '@keyhost/spi';
const waits = { outcome: 'challenge', state: 'kept', poll: { interval: 2 }, page: { page: 'form', title: { key: 'Look at your phone' }, fields: [], submit: { key: 'doContinue' } } };
const step = ({ store, users }) => ({
  authenticate: async () => waits,
  poll: async ({ state, login }) => ({ ready: (await store.get('confirmed')) === true, data: { state, login: typeof login } }),
  action: async ({ state }) => {
    if ((await store.get('confirmed')) !== true) return waits;
    return { outcome: 'success', userId: (await users.byUsername('alice')).id, notes: { state } };
  },
});
export default { name: '${id}', api: 1, providers: [
  provide(Authenticator, { id: '${id}', describe: { displayName: 'Phone', helpText: '', proves: true }, open: () => ({ create: step }) }),
  provide(RealmResourceProvider, { id: '${id}', routes: { confirm: { method: 'POST', path: '/', authentication: 'none' } },
    open: () => ({ create: ({ store }) => ({ confirm: async () => (await store.put('confirmed', true), { body: {} }) }) }) }),
] };`;

/** The address that a page polls. */
export function pollAddress({ text, url }: { readonly text: string; readonly url: string }): string {
  const found = /data-poll="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  if (found === undefined) throw new Error(`the page asks for nothing: ${text}`);
  return new URL(found, url).href;
}
