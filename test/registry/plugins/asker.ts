import { type JsonObject, type OutboundRequest, provide, RealmResourceProvider } from '@keyhost/spi';
export default {
  name: 'asker',
  api: 1,
  providers: [
    provide(RealmResourceProvider, {
      id: 'asker',
      routes: { ask: { method: 'POST', path: '/', consumes: 'application/json' } },
      open: () => ({
        create: ({ outbound }) => ({
          ask: async ({ body }) => {
            try {
              const { body: bytes, ...rest } = await outbound.request(body as unknown as OutboundRequest);
              return { body: { ...rest, text: new TextDecoder().decode(bytes) } as JsonObject };
            } catch (error) {
              const { code, status, message } = error as Record<string, string>;
              return { body: { code, status, message } as JsonObject };
            }
          },
        }),
      }),
    }),
  ],
};
