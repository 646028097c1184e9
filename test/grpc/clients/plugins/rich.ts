import { GrpcService, provide } from '@keyhost/spi';
export default {
  name: 'rich',
  api: 1,
  providers: [
    provide(GrpcService, {
      id: 'rich',
      proto: 'rich.proto',
      service: 'rich.library.LibraryService',
      methods: { echo: {} },
      open: () => ({ create: () => ({ echo: async (library) => library }) }),
    }),
  ],
};
