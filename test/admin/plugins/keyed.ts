import { EventListener, provide } from '@keyhost/spi';
export default {
  name: 'keyed',
  api: 1,
  providers: [
    provide(EventListener, {
      id: 'keyed',
      realmConfig: {
        type: 'object',
        properties: {
          targets: {
            type: 'array',
            items: {
              type: 'object',
              properties: { name: { type: 'string' }, secret: { type: 'string', writeOnly: true } },
            },
          },
          keys: { type: 'array', items: { type: 'string', writeOnly: true } },
        },
      },
      open: () => ({ create: () => ({ onEvent: async () => undefined }) }),
    }),
  ],
};
