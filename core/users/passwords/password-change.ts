import { randomUUID } from 'node:crypto';
import { HostError } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { isMask } from '../../model/mask.js';
import type { Realm } from '../../model/realm.js';
import type { CredentialRepresentation, UserRepresentation } from '../../model/representation.js';
import { type PasswordPolicy, policyOf } from './password-policy.js';
import type { Passwords, PasswordViolation } from './passwords.js';

/** Former passwords, kept as long as the policy forbids them (Keycloak's credential type). */
export const FORMER_PASSWORD = 'password-history';
const DAY_MS = 86_400_000;

/** A password that the realm's policy refuses. */
export class PasswordRefused extends HostError {
  override readonly name = 'PasswordRefused';
  /** The first rule that it breaks. */
  readonly violation: PasswordViolation;

  constructor(violation: PasswordViolation) {
    super('password_refused', violation.message, { status: 400 });
    this.violation = violation;
  }
}

/**
 * Makes a user's new password: checked against the policy and the former passwords, and hashed.
 * @param owner whose it is to be; not changed
 * @returns writes it into the user: the password that was there becomes a former one, and links issued until now die
 * @throws PasswordRefused; HostError `password_too_long` (400), `temporarily_unavailable` (503)
 */
export async function newPassword(
  { passwords, clock }: { passwords: Passwords; clock: Clock },
  realm: Realm,
  owner: UserRepresentation,
  password: string,
): Promise<(draft: UserRepresentation) => void> {
  await requireAllowed(passwords, realm, owner, password);
  const policy = policyOf(realm);
  for (const former of formerPasswords(owner).filter(isForbidden(policy, policy.passwordHistory ?? 0, clock.now()))) {
    const { ok } = await passwords.verify(realm, password, former);
    if (!ok) continue;
    const parameters = [policy.passwordHistory ?? 0];
    throw new PasswordRefused({ message: 'invalidPasswordHistoryMessage', parameters });
  }
  const hashed = await passwords.hash(realm, password);
  return (draft) => {
    const now = clock.now();
    const current = draft.credentials?.find(({ type }) => type === 'password');
    const former = formerPasswords(draft)
      .filter(isForbidden(policy, (policy.passwordHistory ?? 0) - 1, now))
      .map((credential) =>
        credential === current ? { ...credential, id: randomUUID(), type: FORMER_PASSWORD } : credential,
      );
    const { id = randomUUID(), userLabel } = current ?? {};
    const fresh = { ...hashed, id, createdDate: now, ...defined({ userLabel }) };
    const others = (draft.credentials ?? []).filter(({ type }) => type !== FORMER_PASSWORD);
    const placed = others.map((credential) => (credential === current ? fresh : credential));
    draft.credentials = [...(current === undefined ? [fresh] : []), ...placed, ...former];
    draft.linksNotBefore = now;
  };
}

/**
 * Checks a password by the policy alone: not whether it was one of the user's before.
 * @throws PasswordRefused; HostError `temporarily_unavailable` (503)
 */
export async function requireAllowed(
  passwords: Passwords,
  realm: Realm,
  owner: UserRepresentation,
  password: string,
): Promise<void> {
  if (isMask(password)) throw new PasswordRefused({ message: 'invalidPasswordBlacklistedMessage', parameters: [] });
  const { id, username, email, firstName, lastName } = owner;
  const user = defined({ id, username, email, firstName, lastName });
  const violation = await passwords.violation(realm, password, user);
  if (violation !== undefined) throw new PasswordRefused(violation);
}

/** The password that there is, and those before it, newest first. */
function formerPasswords({ credentials = [] }: UserRepresentation): CredentialRepresentation[] {
  const history = credentials.filter(({ type }) => type === FORMER_PASSWORD);
  history.sort((a, b) => (b.createdDate ?? 0) - (a.createdDate ?? 0));
  return [...credentials.filter(({ type }) => type === 'password'), ...history];
}

/** Of former passwords, newest first: those that may not come back. */
function isForbidden({ passwordAge }: PasswordPolicy, newest: number, now: number) {
  return ({ createdDate = 0 }: CredentialRepresentation, index: number) =>
    index < newest || (passwordAge !== undefined && createdDate > now - passwordAge * DAY_MS);
}
