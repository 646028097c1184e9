import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { PasswordHash, PasswordPolicy, provide } from '@keyhost/spi';

const digest = (password: string, salt: string) =>
  createHash('sha256')
    .update(salt + password)
    .digest('base64');
/** The answer of a faulty provider to this password; undefined for an ordinary one. */
const faultOf = <T>(password: string): T | undefined => {
  if (password.includes('throws')) throw new Error('the list of words is away');
  if (password.includes('nonsense')) return { nonsense: true } as T;
  if (password.includes('dies')) process.exit(1);
  return undefined;
};
export default {
  name: 'words',
  api: 1,
  providers: [
    provide(PasswordPolicy, {
      id: 'noWord',
      describe: { displayName: 'No Word' },
      value: { type: 'string', minLength: 3 },
      defaultValue: 'shop',
      open: () => ({
        create: () => ({
          async check({ password, value, user }) {
            const fault = faultOf<never>(password);
            if (fault !== undefined) return fault;
            if (!password.includes(String(value))) return undefined;
            return {
              key: 'wordInPassword',
              params: [String(value), user.username ?? ''],
              texts: { en: 'No {0} in it, {1}.', de: 'Ohne {0}, {1}.' },
            };
          },
        }),
      }),
    }),
    provide(PasswordPolicy, {
      id: 'fewest',
      value: { type: 'integer', minimum: 4, maximum: 40 },
      open: () => ({
        create: () => ({
          check: async ({ password, value }) => (password.length < Number(value) ? { key: 'tooFew' } : undefined),
        }),
      }),
    }),
    provide(PasswordHash, {
      id: 'salted',
      open: () => ({
        create: () => ({
          async hash({ password, iterations = 1 }) {
            const fault = faultOf<never>(password);
            if (fault !== undefined) return fault;
            const salt = randomBytes(9).toString('base64');
            return { value: digest(password, salt), salt, hashIterations: iterations };
          },
          async verify({ password, hashed: { value, salt = '' } }) {
            const fault = faultOf<never>(password);
            if (fault !== undefined) return fault;
            return timingSafeEqual(Buffer.from(digest(password, salt)), Buffer.from(value));
          },
        }),
      }),
    }),
  ],
};
