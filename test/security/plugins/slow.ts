import { PasswordHash, provide } from '@keyhost/spi';

declare global {
  /** The test sets it, and decides when a hash is verified. */
  var slowHash: ((realm: string, password: string) => Promise<void>) | undefined;
}

export default {
  name: 'slow',
  api: 1,
  providers: [
    provide(PasswordHash, {
      id: 'slow',
      open: () => ({
        create: ({ realm }) => ({
          async hash({ password }) {
            return { value: `slow-slow-slow-slow:${password}`, hashIterations: 1 };
          },
          async verify({ password, hashed }) {
            await globalThis.slowHash?.(realm.name, password);
            return hashed.value === `slow-slow-slow-slow:${password}`;
          },
        }),
      }),
    }),
  ],
};
