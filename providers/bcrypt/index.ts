import { PasswordHash, type Plugin, provide } from '@keyhost/spi';
import { hash, verify } from '@node-rs/bcrypt';
import { costOf } from './bcrypt-string.js';
import { MESSAGES } from './messages.js';

/** The maximum length of a password in UTF-8 bytes. bcrypt would ignore the rest. */
const MAX_PASSWORD_BYTES = 72;
/** The maximum cost of a stored hash. A higher one would block a thread for many seconds and cannot be stopped. */
const MAX_STORED_COST = 16;
/** The maximum cost of new hashes: about a second of a core, the limit for the host's own algorithms, too. */
const DEFAULT_MAX_COST = 14;

/** The highest cost that the algorithm supports. */
const MAX_BCRYPT_COST = 31;

/** Verifies and creates bcrypt hashes, so that users imported from another system can sign in. */
export default {
  name: '@keyhost/bcrypt',
  api: 1,
  messages: MESSAGES,
  providers: [
    provide(PasswordHash, {
      id: 'bcrypt',
      describe: { displayName: 'bcrypt', helpText: 'Verifies and makes hashes of bcrypt.' },
      maxBytes: MAX_PASSWORD_BYTES,
      config: {
        type: 'object',
        properties: {
          cost: { type: 'integer', minimum: 4, maximum: MAX_STORED_COST, default: 12 },
          maxCost: { type: 'integer', minimum: 4, maximum: MAX_STORED_COST, default: DEFAULT_MAX_COST },
        },
        additionalProperties: false,
      },
      open: ({ cost = 12, maxCost = DEFAULT_MAX_COST }, { logger }) => {
        if (cost > maxCost) throw new Error(`cost ${cost} is over maxCost ${maxCost}`);
        // A number of iterations that is not a cost of bcrypt is a setting for a different algorithm.
        const costFor = (iterations: number | undefined) =>
          iterations !== undefined && iterations >= 4 && iterations <= MAX_BCRYPT_COST
            ? Math.min(iterations, maxCost)
            : cost;
        return {
          create: () => ({
            async hash({ password, iterations }) {
              const hashIterations = costFor(iterations);
              if (iterations !== undefined && iterations > maxCost && iterations <= MAX_BCRYPT_COST) {
                logger.warn('hashIterations of the realm is over the maxCost of the plugin', { iterations, maxCost });
              }
              return { value: await hash(password, { cost: hashIterations }), hashIterations };
            },
            async verify({ password, hashed: { value } }) {
              const storedCost = costOf(value);
              if (storedCost === undefined || storedCost > maxCost) {
                const reason =
                  storedCost === undefined ? 'not a hash of bcrypt' : `its cost ${storedCost} is over ${maxCost}`;
                logger.warn('a password cannot be verified', { reason });
                // Take as long as a valid hash would.
                await hash(password, { cost });
                return false;
              }
              return verify(password, value);
            },
            stale: async ({ hashed: { value }, iterations }) => costOf(value) !== costFor(iterations),
          }),
        };
      },
    }),
  ],
} satisfies Plugin;
