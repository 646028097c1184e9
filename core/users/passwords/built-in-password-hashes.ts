import { PasswordHash, type Plugin, provide } from '@keyhost/spi';
import { HASH_ALGORITHMS } from './password-format.js';

/** `Passwords` calls the hasher itself, without a session. */
async function notAsked(): Promise<never> {
  throw new Error('Keyhost makes and checks hashes of its own algorithms without a provider');
}

/** Keyhost's own algorithms as providers: what realms and admins know of them. */
export const builtInPasswordHashes: Plugin = {
  name: 'keyhost-password-hashes',
  api: 1,
  providers: HASH_ALGORITHMS.map((id) =>
    provide(PasswordHash, { id, open: () => ({ create: () => ({ hash: notAsked, verify: notAsked }) }) }),
  ),
};
