import { PasswordHash, type Plugin, provide } from '@keyhost/spi';
import { hash, verify } from '@node-rs/bcrypt';
import { costOf } from './bcrypt-string.js';

/** Bytes of UTF-8 that bcrypt reads of a password: the rest would not count. */
const LONGEST = 72;
/** A hash of more cost would keep a thread of the process for seconds, and cannot be stopped. */
const DEAREST = 15;

/** Hashes of bcrypt: users whose passwords come from another system sign in with them. */
export default {
  name: '@keyhost/bcrypt',
  api: 1,
  providers: [
    provide(PasswordHash, {
      id: 'bcrypt',
      describe: { displayName: 'bcrypt', helpText: 'Verifies and makes hashes of bcrypt.' },
      maxBytes: LONGEST,
      config: {
        type: 'object',
        properties: { cost: { type: 'integer', minimum: 4, maximum: DEAREST, default: 12 } },
        additionalProperties: false,
      },
      open: ({ cost = 12 }, { logger }) => {
        // Iterations that were meant for another algorithm say nothing about this one.
        const wanted = (iterations: number | undefined) =>
          iterations !== undefined && iterations >= 4 && iterations <= DEAREST ? iterations : cost;
        return {
          create: () => ({
            async hash({ password, iterations }) {
              const hashIterations = wanted(iterations);
              return { value: await hash(password, { cost: hashIterations }), hashIterations };
            },
            async verify({ password, hashed: { value } }) {
              const own = costOf(value);
              if (own === undefined || own > DEAREST) {
                const reason = own === undefined ? 'not a hash of bcrypt' : `its cost ${own} is over ${DEAREST}`;
                logger.warn('a password cannot be verified', { reason });
                // As long as another takes.
                await hash(password, { cost });
                return false;
              }
              return verify(password, value);
            },
            stale: async ({ hashed: { value }, iterations }) => costOf(value) !== wanted(iterations),
          }),
        };
      },
    }),
  ],
} satisfies Plugin;
