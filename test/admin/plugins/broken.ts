import { provide, RealmResourceProvider } from '@keyhost/spi';
export default {
  name: 'broken',
  api: 1,
  providers: [
    provide(RealmResourceProvider, {
      id: 'broken',
      routes: { run: { method: 'GET', path: '/' } },
      open: () => {
        throw new Error('postgres://u:hidden@db refused');
      },
    }),
  ],
};
