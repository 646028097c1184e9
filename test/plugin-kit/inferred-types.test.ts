import {
  ActionTokenHandler,
  AdminPage,
  Authenticator,
  ClientPolicyCondition,
  ClientPolicyExecutor,
  EventListener,
  GrpcService,
  type JsonSchema,
  provide,
  RealmResourceProvider,
  Validator,
} from '@keyhost/spi';
import test from 'ava';

const body = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const size = { type: 'object', properties: { size: { type: 'integer', default: 1 } } } as const;

// The compiler is the test: without an error below a marked line, the build fails.
test('inferred types: operations, parameters, bodies, claims and configuration have types from the declarations', (t) => {
  provide(RealmResourceProvider, {
    id: 'a',
    config: size,
    realmConfig: { type: 'object', properties: { word: { type: 'string' } } },
    routes: { set: { method: 'PUT', path: '/', body }, get: { method: 'GET', path: '/' } },
    open: (config) => ({
      create: (_, realmConfig) => ({
        set: async ({ body: { name } }) => ({ body: name.padEnd(config.size) + (realmConfig.word ?? '') }),
        get: async () => ({ body: 1 }),
      }),
    }),
  });
  provide(EventListener, {
    id: 'a',
    realmConfig: {
      type: 'object',
      properties: { sizes: { type: 'object', additionalProperties: size, default: {} } },
    },
    open: () => ({
      create: (_, { sizes }) => ({
        onEvent: async ({ type }) => {
          const known = sizes[type];
          known?.size.toFixed();
          // @ts-expect-error: what stands under each name is an object of its own schema
          known?.length;
        },
      }),
    }),
  });
  provide(RealmResourceProvider, {
    id: 'a',
    routes: { set: { method: 'PUT', path: '/', body } },
    // @ts-expect-error: the body has no such member
    open: () => ({ create: () => ({ set: async ({ body: { nane } }) => ({ body: nane }) }) }),
  });
  provide(RealmResourceProvider, {
    id: 'a',
    routes: { set: { method: 'PUT', path: '/', body }, get: { method: 'GET', path: '/' } },
    // @ts-expect-error: `get` is missing
    open: () => ({ create: () => ({ set: async () => ({}) }) }),
  });
  provide(GrpcService, {
    id: 'a',
    proto: 'a.proto',
    service: 'a.A',
    methods: { one: {}, two: {} },
    // @ts-expect-error: `two` is missing
    open: () => ({ create: () => ({ one: async () => ({}) }) }),
  });
  const page = { title: 'A', at: 'realm', view: ['view-realm'], manage: ['manage-realm'], blocks: [] } as const;
  provide(AdminPage, {
    id: 'a',
    ...page,
    operations: { set: { method: 'PUT', body }, get: { method: 'GET' } },
    open: () => ({
      create: () => ({
        set: async ({ body: { name }, admin }) => ({ name: name.padEnd(1), by: admin.username }),
        get: async ({ first, max }) => ({ rows: [{ first, max }] }),
      }),
    }),
  });
  provide(AdminPage, {
    id: 'a',
    ...page,
    operations: { set: { method: 'PUT', body } },
    // @ts-expect-error: the body has no such member
    open: () => ({ create: () => ({ set: async ({ body: { nane } }) => ({ nane }) }) }),
  });
  // @ts-expect-error: `routes` is missing
  provide(RealmResourceProvider, { id: 'a', open: () => ({ create: () => ({}) }) });
  provide(RealmResourceProvider, {
    id: 'a',
    routes: { get: { method: 'GET', path: '/{shop}/things/{id}' }, all: { method: 'GET', path: '/' } },
    open: () => ({
      create: () => ({
        get: async ({ params: { shop, id } }) => ({ body: shop.concat(id) }),
        // @ts-expect-error: the path has no such parameter
        all: async ({ params }) => ({ body: params.id }),
      }),
    }),
  });
  const handler = { id: 'a', eventType: 'A', defaultError: 'a', defaultMessage: 'a' };
  provide(ActionTokenHandler, {
    ...handler,
    claims: body,
    open: () => ({
      create: () => ({
        reusable: async ({ claims }) => claims.name.length > 0,
        // @ts-expect-error: the claims have no such member
        verify: async ({ claims }) => ({ error: claims.nane, message: '' }),
      }),
    }),
  });
  provide(ActionTokenHandler, {
    ...handler,
    open: () => ({ create: () => ({ reusable: async ({ claims }) => claims.anything === true }) }),
  });
  const described = { id: 'a', describe: { displayName: 'A' } };
  const settings = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } as const;
  provide(Validator, {
    ...described,
    settings,
    open: () => ({
      create: () => ({
        check: async ({ values, config }) => (values.includes(config.word.trim()) ? [{ key: config.word }] : []),
      }),
    }),
  });
  provide(Validator, {
    ...described,
    settings: size,
    // @ts-expect-error: there is no such setting
    open: () => ({ create: () => ({ check: async ({ config }) => [{ key: config.word }] }) }),
  });
  provide(Validator, {
    ...described,
    settings: size as JsonSchema,
    open: () => ({ create: () => ({ check: async ({ config }) => [{ key: String(config.any) }] }) }),
  });
  const events = ['REGISTER'] as const;
  provide(ClientPolicyCondition, {
    ...described,
    events,
    settings: size,
    open: () => ({ create: () => ({ vote: async ({ config }) => (config.size.toFixed() === '1' ? 'yes' : 'no') }) }),
  });
  provide(ClientPolicyExecutor, {
    ...described,
    events,
    settings,
    // @ts-expect-error: there is no such setting
    open: () => ({ create: () => ({ apply: async ({ config }) => (config.size === 1 ? {} : undefined) }) }),
  });
  // Settings that Keycloak stores as texts have the type of texts.
  provide(Authenticator, {
    ...described,
    settings: size,
    // @ts-expect-error: a text is no number
    open: () => ({ create: () => ({ isMet: async ({ config }) => config.size?.toFixed() === '1' }) }),
  });
  t.pass();
});
