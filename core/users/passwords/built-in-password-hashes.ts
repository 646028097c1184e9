import { PasswordHash, type PasswordHashed, type Plugin, provide } from '@keyhost/spi';
import { HASH_ALGORITHMS, readHashedPassword, writeHashedPassword } from './password-format.js';
import type { PasswordHasher } from './password-hasher.js';

/** The built-in algorithms as providers. `Passwords` calls the hasher directly, without a session. */
export function builtInPasswordHashes(hasher: PasswordHasher): Plugin {
  return {
    name: 'keyhost-password-hashes',
    api: 1,
    providers: HASH_ALGORITHMS.map((id) =>
      provide(PasswordHash, {
        id,
        open: () => ({
          create: ({ realm }) => ({
            async hash({ password, iterations = -1 }) {
              const policy = { hashAlgorithm: id, hashIterations: iterations };
              return readHashedPassword(await hasher.hash(realm.name, password, policy)) as PasswordHashed;
            },
            async verify({ password, hashed }) {
              return (await hasher.verify(realm.name, password, writeHashedPassword(id, hashed))).ok;
            },
          }),
        }),
      }),
    ),
  };
}
