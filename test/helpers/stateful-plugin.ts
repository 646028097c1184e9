/**
 * The source of a plugin `tally` that stores entries. `PUT /realms/{realm}/tally/{key}` writes one; `GET
 * /realms/{realm}/tally` returns all, with the version.
 * @param version its own version
 * @param state the source of `state`; by default the plugin declares none
 */
export const tally = (
  version: string,
  state?: string,
) => `import { provide, RealmResourceProvider } from '@keyhost/spi';
export default { name: 'tally', api: 1, ${state === undefined ? '' : `state: ${state},`} providers: [provide(RealmResourceProvider, {
  id: 'tally',
  routes: {
    all: { method: 'GET', path: '/', authentication: 'none' },
    write: { method: 'PUT', path: '/{key}', authentication: 'none', consumes: 'application/json' },
    mark: { method: 'POST', path: '/{key}', authentication: 'none' },
  },
  open: () => ({ create: ({ store }) => ({
    all: async () => ({ body: { version: '${version}', entries: await store.list('', { max: 1000 }) } }),
    write: async ({ params, body }) => (await store.put(params.key, body), { status: 204 }),
    mark: async ({ params }) => ({ body: { first: await store.claim(params.key, { expiresIn: 60 }) } }),
  }) }),
})] };`;

/** Version 2 of the state: keys begin with `n-`, and the number is in an object. */
export const STATE_2 =
  "{ version: 2, migrate: ({ key, value }, { from, realm }) => ({ key: 'n-' + key, value: { n: value, from, realm } }) }";
