import { EventListener, provide } from '@keyhost/spi';

const realmConfig = { type: 'object', properties: { url: { type: 'string' }, secret: { type: 'string' } } } as const;
export default {
  name: 'hook',
  api: 1,
  providers: [
    provide(EventListener, {
      id: 'webhook',
      realmConfig,
      open: () => ({ create: () => ({ onEvent: async () => {} }) }),
    }),
  ],
};
