import { PasswordHash, type Plugin, provide } from '@keyhost/spi';
import { hash, verify } from '@node-rs/bcrypt';
import { costOf } from './bcrypt-string.js';

/** The number of UTF-8 bytes of a password that bcrypt reads. It ignores the rest. */
const LONGEST = 72;
/** The maximum cost of a stored hash. A higher one would block a thread for many seconds and cannot be stopped. */
const HIGHEST = 16;
/** The maximum cost of new hashes: about a second of a core, the limit for the host's own algorithms, too. */
const MOST = 14;

/** The highest cost that the algorithm supports. */
const BCRYPT_HIGHEST = 31;

/** Verifies and creates bcrypt hashes, so that users imported from another system can sign in. */
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
        // A number of iterations that is no bcrypt cost was meant for another algorithm.
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
                // Take as long as a valid hash would.
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
