import { EventListener, provide } from '@keyhost/spi';
export default {
  name: 'rich',
  api: 1,
  providers: [
    provide(EventListener, {
      id: 'rich',
      realmConfig: {
        type: 'object',
        additionalProperties: false,
        required: ['token'],
        properties: {
          mode: { type: 'string', enum: ['all', 'errors'], default: 'all', description: 'Which events are `told`.' },
          token: { type: 'string', minLength: 3, writeOnly: true },
          limit: { type: 'integer', minimum: 1, maximum: 9 },
          retry: { type: 'object', properties: { times: { type: 'integer', maximum: 5 }, quick: { type: 'boolean' } } },
          targets: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name'],
              properties: { name: { type: 'string', pattern: '^[a-z]+$' }, wanted: { type: 'boolean' } },
            },
          },
        },
      },
      open: () => ({ create: () => ({ onEvent: async () => undefined }) }),
    }),
  ],
};
