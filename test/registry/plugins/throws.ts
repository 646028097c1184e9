import { ProtocolMapper, provide } from '@keyhost/spi';
export default {
  name: 'throws',
  api: 1,
  providers: [
    provide(ProtocolMapper, {
      id: 'throwing',
      open: () => ({
        create: () => ({
          map: async () => {
            throw new Error('not today');
          },
        }),
      }),
    }),
  ],
};
