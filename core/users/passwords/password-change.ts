import { randomUUID } from 'node:crypto';
import { HostError } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { isMask } from '../../model/mask.js';
import type { Realm } from '../../model/realm.js';
import type { CredentialRepresentation, UserRepresentation } from '../../model/representation.js';
import { type PasswordPolicy, passwordPolicyOf } from './password-policy.js';
import type { Passwords, PasswordViolation } from './passwords.js';

/** Keycloak's credential type for former passwords, which are stored as long as the policy forbids them. */
export const FORMER_PASSWORD = 'password-history';
const DAY_MS = 86_400_000;

/** A password that the realm's policy rejects. */
export class PasswordRefusedError extends HostError {
  override readonly name = 'PasswordRefused';
  /** The first violated rule. */
  readonly violation: PasswordViolation;

  constructor(violation: PasswordViolation) {
    super('password_refused', violation.message, { status: 400 });
    this.violation = violation;
  }
}

/**
 * Checks a user's new password against the policy and the password history, and hashes it.
 * @param owner the user who gets the password; not modified
 * @returns a function that writes it into the user: the current password becomes a former one, and issued links become
 * invalid
 * @throws PasswordRefusedError; HostError `password_too_long` (400), `temporarily_unavailable` (503)
 */
export async function preparePasswordChange(
  { passwords, clock }: { passwords: Passwords; clock: Clock },
  realm: Realm,
  owner: UserRepresentation,
  password: string,
): Promise<(draft: UserRepresentation) => void> {
  await requireAllowedPassword(passwords, realm, owner, password);
  const policy = passwordPolicyOf(realm);
  for (const former of passwordHistory(owner).filter(
    forbiddenReuseFilter(policy, policy.passwordHistory ?? 0, clock.now()),
  )) {
    const { ok } = await passwords.verify(realm, password, former);
    if (!ok) continue;
    const parameters = [policy.passwordHistory ?? 0];
    throw new PasswordRefusedError({ message: 'invalidPasswordHistoryMessage', parameters });
  }
  const hashed = await passwords.hash(realm, password);
  return (draft) => {
    const now = clock.now();
    const current = draft.credentials?.find(({ type }) => type === 'password');
    const former = passwordHistory(draft)
      .filter(forbiddenReuseFilter(policy, (policy.passwordHistory ?? 0) - 1, now))
      .map((credential) =>
        credential === current ? { ...credential, id: randomUUID(), type: FORMER_PASSWORD } : credential,
      );
    const { id = randomUUID(), userLabel } = current ?? {};
    const newCredential = { ...hashed, id, createdDate: now, ...defined({ userLabel }) };
    const others = (draft.credentials ?? []).filter(({ type }) => type !== FORMER_PASSWORD);
    const replaced = others.map((credential) => (credential === current ? newCredential : credential));
    draft.credentials = [...(current === undefined ? [newCredential] : []), ...replaced, ...former];
    draft.linksNotBefore = now;
  };
}

/**
 * Checks a password by the policy only, without the user's former passwords. The mask that replaces secrets in exports
 * is no password either.
 * @throws PasswordRefusedError; HostError `temporarily_unavailable` (503)
 */
export async function requireAllowedPassword(
  passwords: Passwords,
  realm: Realm,
  owner: UserRepresentation,
  password: string,
): Promise<void> {
  if (isMask(password))
    throw new PasswordRefusedError({ message: 'invalidPasswordBlacklistedMessage', parameters: [] });
  const { id, username, email, firstName, lastName } = owner;
  const user = defined({ id, username, email, firstName, lastName });
  const violation = await passwords.findViolation(realm, password, user);
  if (violation !== undefined) throw new PasswordRefusedError(violation);
}

/** The current password and the former ones, newest first. */
function passwordHistory({ credentials = [] }: UserRepresentation): CredentialRepresentation[] {
  const history = credentials.filter(({ type }) => type === FORMER_PASSWORD);
  history.sort((a, b) => (b.createdDate ?? 0) - (a.createdDate ?? 0));
  return [...credentials.filter(({ type }) => type === 'password'), ...history];
}

/** Returns a filter for the passwords of a history, newest first, that must not be reused. */
function forbiddenReuseFilter({ passwordAge }: PasswordPolicy, historyLength: number, now: number) {
  return ({ createdDate = 0 }: CredentialRepresentation, index: number) =>
    index < historyLength || (passwordAge !== undefined && createdDate > now - passwordAge * DAY_MS);
}
