import { PasswordHash, type Plugin, provide } from '@keyhost/spi';
import { hash, verify } from '@node-rs/bcrypt';
import { costOf } from './bcrypt-string.js';

/** Bytes of UTF-8 that bcrypt reads of a password: the rest would not count. */
const LONGEST = 72;
/** A hash of more cost takes a thread of the process for many seconds, and cannot be stopped. */
const HIGHEST = 16;
/** About a second of a core, as the host's own algorithms may take. */
const MOST = 14;

/** Highest cost that the algorithm has. */
const BCRYPT_HIGHEST = 31;

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
        properties: {
          cost: { type: 'integer', minimum: 4, maximum: HIGHEST, default: 12 },
          maxCost: { type: 'integer', minimum: 4, maximum: HIGHEST, default: MOST },
        },
        additionalProperties: false,
      },
      open: ({ cost = 12, maxCost = MOST }, { logger }) => {
        if (cost > maxCost) throw new Error(`cost ${cost} is over maxCost ${maxCost}`);
        // Iterations that are no cost of bcrypt were meant for another algorithm.
        const wanted = (iterations: number | undefined) =>
          iterations !== undefined && iterations >= 4 && iterations <= BCRYPT_HIGHEST
            ? Math.min(iterations, maxCost)
            : cost;
        return {
          create: () => ({
            async hash({ password, iterations }) {
              const hashIterations = wanted(iterations);
              if (iterations !== undefined && iterations > maxCost && iterations <= BCRYPT_HIGHEST) {
                logger.warn('hashIterations of the realm is over the maxCost of the plugin', { iterations, maxCost });
              }
              return { value: await hash(password, { cost: hashIterations }), hashIterations };
            },
            async verify({ password, hashed: { value } }) {
              const own = costOf(value);
              if (own === undefined || own > maxCost) {
                const reason = own === undefined ? 'not a hash of bcrypt' : `its cost ${own} is over ${maxCost}`;
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
