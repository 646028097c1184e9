import { EventListener, type JsonSchema, provide } from '@keyhost/spi';
export default {
  name: 'shapes',
  api: 1,
  providers: [
    provide(EventListener, {
      id: 'shapes',
      realmConfig: {
        type: 'object',
        additionalProperties: false,
        $defs: { place: { type: 'object', title: 'Place', properties: { town: { type: 'string', minLength: 2 } } } },
        properties: {
          kinds: { type: 'array', uniqueItems: true, items: { enum: ['LOGIN', 'LOGOUT', 'REGISTER'] } },
          tags: { type: 'array', items: { type: 'string' } },
          headers: { type: 'object', additionalProperties: { type: 'string' } },
          ratio: { type: 'number' },
          note: { type: ['string', 'null'] } as unknown as JsonSchema,
          place: { $ref: '#/$defs/place' },
          'a/b~c': { type: 'string', maxLength: 3 },
          store: {
            oneOf: [
              {
                title: 'File',
                type: 'object',
                additionalProperties: false,
                required: ['path'],
                properties: { path: { type: 'string' } },
              },
              {
                title: 'Queue',
                type: 'object',
                additionalProperties: false,
                required: ['topic'],
                properties: { topic: { type: 'string' }, key: { type: 'string', writeOnly: true } },
              },
            ],
          },
        },
      },
      open: () => ({ create: () => ({ onEvent: async () => undefined }) }),
    }),
  ],
};
