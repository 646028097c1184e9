import { GrantType, type JsonObject, provide, RealmResourceProvider } from '@keyhost/spi';
export default {
  name: 'guest',
  api: 1,
  providers: [
    provide(GrantType, {
      id: 'urn:test:guest',
      eventType: 'LOGIN',
      open: () => ({
        create: () => ({
          authorize: async ({ form }) => ({ userId: form.user ?? '', login: 'session' }),
        }),
      }),
    }),
    provide(RealmResourceProvider, {
      id: 'asks',
      routes: { ask: { method: 'POST', path: '/', authentication: 'none', consumes: 'application/json' } },
      open: () => ({
        create: (session) => ({
          ask: async ({ body }) => ({
            body: (await session.tokenRequest(body as Record<string, string>)) as unknown as JsonObject,
          }),
        }),
      }),
    }),
  ],
};
