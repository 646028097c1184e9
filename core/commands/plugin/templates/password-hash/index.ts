import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { PasswordHash, type Plugin, provide } from '@keyhost/spi';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
const BYTES = 32;
/** The exponent of scrypt's N, unless the realm's `hashIterations` sets another. */
const EXPONENT = 15;

/** Hashes passwords with scrypt (RFC 7914). */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(PasswordHash, {
      id: '__id__',
      describe: { displayName: 'scrypt' },
      open: () => {
        const hashed = async (password: string, salt: Buffer, exponent: number) => {
          const N = 2 ** exponent;
          return derive(password, salt, BYTES, { N, r: 8, p: 1, maxmem: 256 * N * 8 });
        };
        return {
          create: () => ({
            async hash({ password, iterations = EXPONENT }) {
              // Ignore iterations that were meant for another algorithm.
              const hashIterations = iterations >= 10 && iterations <= 20 ? iterations : EXPONENT;
              const salt = randomBytes(16);
              const value = await hashed(password, salt, hashIterations);
              return { value: value.toString('base64'), salt: salt.toString('base64'), hashIterations };
            },
            async verify({ password, hashed: { value, salt = '', hashIterations } }) {
              const expected = Buffer.from(value, 'base64');
              if (expected.length !== BYTES || hashIterations > 20) return false;
              return timingSafeEqual(await hashed(password, Buffer.from(salt, 'base64'), hashIterations), expected);
            },
          }),
        };
      },
    }),
  ],
} satisfies Plugin;
