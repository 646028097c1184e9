import { GrpcService, provide, RealmResourceProvider } from '@keyhost/spi';
import test from 'ava';

const body = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const size = { type: 'object', properties: { size: { type: 'integer', default: 1 } } } as const;

// The compiler is the test: without an error below a marked line, the build fails.
test('operations, bodies and configuration are typed by what the plugin declares', (t) => {
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
  // @ts-expect-error: `routes` is missing
  provide(RealmResourceProvider, { id: 'a', open: () => ({ create: () => ({}) }) });
  t.pass();
});
