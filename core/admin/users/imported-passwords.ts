import type { RealmRepresentation, UserRepresentation } from '../../model/representation.js';
import { PasswordRefusedError, requireAllowedPassword } from '../../users/passwords/password-change.js';
import type { Passwords } from '../../users/passwords/passwords.js';
import { AdminError } from '../admin.js';
import { compileRealm } from '../partial-import/import-rights.js';
import { forEachYielding } from '../yielding-loops.js';
import { describeRefusal } from './password-refused.js';

/**
 * Checks plain passwords of imported users against the realm's policy, as Keycloak does. Hashed passwords cannot be
 * checked.
 * @param representation the realm after the import
 * @throws AdminError 400; HostError `temporarily_unavailable` (503) if a rule cannot be checked
 */
export async function requireAllowedPasswords(
  passwords: Passwords,
  representation: RealmRepresentation,
  users: readonly UserRepresentation[],
): Promise<void> {
  const plainPasswords = users.flatMap((user) =>
    (user.credentials ?? []).flatMap(({ type, value }) =>
      type === 'password' && value !== undefined ? [{ user, value }] : [],
    ),
  );
  if (plainPasswords.length === 0) return;
  const realm = compileRealm(representation);
  await forEachYielding(representation.realm, plainPasswords, async ({ user, value }) => {
    try {
      await requireAllowedPassword(passwords, realm, user, value);
    } catch (error) {
      if (!(error instanceof PasswordRefusedError)) throw error;
      const errorMessage = `Password policy not met: user '${user.username}': ${describeRefusal(error)}`;
      throw new AdminError(400, { errorMessage });
    }
  });
}
