import { PasswordHash, provide } from '@keyhost/spi';

declare global {
  /** The test sets it to count the work of this provider. */
  var hiddenHashes: string[] | undefined;
}

const work = (name: string) => globalThis.hiddenHashes?.push(name);
export default {
  name: 'other',
  api: 1,
  providers: [
    provide(PasswordHash, {
      id: 'other',
      open: () => ({
        create: () => ({
          async hash({ password, iterations = 7 }) {
            work(`other ${iterations}`);
            return { value: `other-other-other:${password}`, hashIterations: iterations };
          },
          async verify({ password, hashed }) {
            work(`other ${hashed.hashIterations}`);
            return hashed.value === `other-other-other:${password}`;
          },
        }),
      }),
    }),
  ],
};
