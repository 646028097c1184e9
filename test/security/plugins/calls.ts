import { GrpcService, provide } from '@keyhost/spi';
export default {
  name: 'calls',
  api: 1,
  providers: [
    provide(GrpcService, {
      id: 'calls',
      proto: 'calls.proto',
      service: 'test.narrow.Calls',
      methods: { who: {}, scoped: { scope: 'calls:read' } },
      open: () => ({
        create: () => ({
          who: async (_, { principal }) => ({ text: principal?.userId }),
          scoped: async (_, { principal }) => ({ text: principal?.userId }),
        }),
      }),
    }),
  ],
};
